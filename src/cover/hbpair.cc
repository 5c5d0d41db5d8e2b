// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// hbpair: a release and the acquisition in another thread that it comes before, with the object; creation and joining
// of threads have none, and the thread's type stands for the end that has no place. What orders what:
//   mutex      the last release (unlock, or the wait that gave it back) -> the next acquisition
//   rwlock     write unlock -> locks until the next writer; each read unlock since the last writer -> write lock
//   semaphore, descriptors   every earlier post (write) -> wait (read): they commute, so that "the last" is none
//   barrier    each arrival -> each departure of its round
//   condition  the signal that woke -> the wait
//   once       end -> a begin that finds it done
//   atomic     a release write, or the head of its release sequence -> an acquiring read that sees it
#include "cover/metric.h"
#include "cover/metrics.h"
#include "semantics/barrier.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

class HbPair final : public Metric {
 public:
  HbPair(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services),
        objects_(memory, 1u << 15),
        releases_(memory, 1u << 16),
        rounds_(memory, kCoverThreads),
        woken_(memory, kCoverThreads),
        waiting_(memory, kCoverThreads) {}

  void begin() override {
    objects_.clear();
    releases_.clear();
    rounds_.clear();
    woken_.clear();
    waiting_.clear();
    waiters_ = 0;
    full_ = false;
  }

  void on_event(const Event& e, const Moment&) override {
    switch (op_class(e.kind)) {
      case OpClass::kLifecycle:
        return lifecycle(e);
      case OpClass::kAtomic:
        return atomic(e);
      case OpClass::kSync:
        return synchronise(e);
      default:
        return;
    }
  }
  [[nodiscard]] bool truncated() const override { return full_ || objects_.full(); }

 private:
  static constexpr std::uint32_t kMostWaiters = 1024;
  struct Release {
    Atom place;
    Atom who;
    ThreadIndex thread;
    std::uint32_t next;
  };
  struct Object {
    std::uint32_t releases = 0;  // list, latest first; of an rwlock those of writers
    std::uint32_t readers = 0;   // of an rwlock; of a barrier: arrivals of the round that is not full
    ThreadIndex writer = kNoThread;
  };

  void add(std::uint32_t& list, Atom place, ThreadIndex t) {
    const Atom who = thread(t);
    for (std::uint32_t i = list; i != 0; i = releases_[i].next) {
      if (releases_[i].place == place && releases_[i].thread == t && releases_[i].who == who) return;
    }
    const std::uint32_t made = releases_.add({place, who, t, list});
    if (made == 0) {
      full_ = true;
    } else {
      list = made;
    }
  }
  void replace(std::uint32_t& list, Atom place, ThreadIndex t) {
    list = 0;
    add(list, place, t);
  }
  void acquire(std::uint32_t list, const Event& e, Atom object) {
    const Atom place = services_.identity.place(e);
    for (std::uint32_t i = list; i != 0; i = releases_[i].next) {
      if (releases_[i].thread != e.thread) pair(releases_[i].place, releases_[i].who, place, thread(e.thread), object);
    }
  }
  void pair(Atom from, Atom by, Atom to, Atom who, Atom object) {
    emit_pair(MetricId::kHbPair, {from, to, object}, {by, who});
  }

  void lifecycle(const Event& e) {
    const auto other = static_cast<ThreadIndex>(e.value);
    if (e.failed() || (e.bits & kTimeout) != 0 || other == e.thread) return;
    const Atom place = services_.identity.place(e);
    const Atom type = make_atom(AtomKind::kThreadType, other);
    if (e.kind == OpKind::kThreadCreate) pair(place, thread(e.thread), type, thread(other), 0);
    if (e.kind == OpKind::kThreadJoin) pair(type, thread(other), place, thread(e.thread), 0);
  }

  void atomic(const Event& e) {
    if (!is_atomic_access(e.kind)) return;
    const bool writes = has_write_effect(e.kind, e.bits);
    Object* object = writes ? objects_.get(place_of(e)) : objects_.find(place_of(e));
    if (object == nullptr) return;
    if (has_read_effect(e.kind) && is_acquire(e.order())) {
      acquire(object->releases, e, services_.identity.object(e.object, e.offset, 0));
    }
    if (!writes) return;
    if (e.kind == OpKind::kAtomicStore) object->releases = 0;  // a new release sequence
    if (is_release(e.order())) add(object->releases, services_.identity.place(e), e.thread);
  }

  void give(std::uint64_t key, const Event& e) {
    if (Object* object = objects_.get(key)) replace(object->releases, services_.identity.place(e), e.thread);
  }
  void take(std::uint64_t key, const Event& e) {
    if (const Object* object = objects_.find(key)) acquire(object->releases, e, services_.identity.lock(key));
  }
  void write_lock(std::uint64_t key, const Event& e) {
    Object* object = objects_.get(key);
    if (object == nullptr) return;
    acquire(object->releases, e, services_.identity.lock(key));
    acquire(object->readers, e, services_.identity.lock(key));
    object->readers = 0;
    object->writer = e.thread;
  }
  void unlock(std::uint64_t key, const Event& e) {
    Object* object = objects_.get(key);
    if (object == nullptr) return;
    if (object->writer == e.thread) {
      object->writer = kNoThread;
      replace(object->releases, services_.identity.place(e), e.thread);
    } else {
      add(object->readers, services_.identity.place(e), e.thread);
    }
  }
  void arrive(const Event& e) {
    Object* object = objects_.get(place_of(e));
    if (object == nullptr) return;
    add(object->readers, services_.identity.place(e), e.thread);
    if (e.value != kFilledRound) return;
    for (std::uint32_t i = object->readers; i != 0; i = releases_[i].next) {
      set(rounds_, releases_[i].thread, object->readers);
    }
    object->readers = 0;
  }

  template <class T>
  void set(SparseArray<T>& array, ThreadIndex t, const T& value) {
    if (T* known = array.find(t)) {
      *known = value;
    } else if (t < array.capacity()) {
      array.insert(t, value);
    } else {
      full_ = true;
    }
  }
  void wake(ThreadIndex t, const Event& e) {
    std::uint32_t list = 0;
    add(list, services_.identity.place(e), e.thread);
    set(woken_, t, list);
  }
  void wait(const Event& e) {
    set(waiting_, e.thread, place_of(e));
    set(woken_, e.thread, 0u);
    for (std::uint32_t i = 0; i < waiters_; ++i) {
      if (list_[i] == e.thread) return;
    }
    if (waiters_ == kMostWaiters) {
      full_ = true;
    } else {
      list_[waiters_++] = e.thread;
    }
  }
  void broadcast(const Event& e) {
    for (std::uint32_t i = 0; i < waiters_; ++i) {
      const std::uint64_t* on = waiting_.find(list_[i]);
      if (on != nullptr && *on == place_of(e)) wake(list_[i], e);
    }
  }
  void resume(const Event& e) {
    const std::uint32_t* signal = woken_.find(e.thread);
    const bool by_signal = (e.bits & (kTimeout | kSpurious)) == 0;
    if (signal != nullptr && by_signal) acquire(*signal, e, services_.identity.lock(place_of(e)));
    set(woken_, e.thread, 0u);
    set(waiting_, e.thread, std::uint64_t{0});
  }

  void synchronise(const Event& e) {
    if ((e.bits & (kFailed | kTimeout)) != 0 && e.kind != OpKind::kCondReacquire) return;
    const std::uint64_t key = place_of(e);
    switch (e.kind) {
      case OpKind::kMutexInit:
      case OpKind::kRwInit:
      case OpKind::kSemInit:
      case OpKind::kBarrierInit:
        if (Object* object = objects_.find(key)) *object = Object{};
        return;
      case OpKind::kMutexLock:
      case OpKind::kMutexTryLock:
        return take(key, e);
      case OpKind::kRwReadLock:
      case OpKind::kRwTryReadLock:
        return take(key, e);
      case OpKind::kRwWriteLock:
      case OpKind::kRwTryWriteLock:
        return write_lock(key, e);
      case OpKind::kRwUnlock:
        return unlock(key, e);
      case OpKind::kMutexUnlock:
      case OpKind::kOnceEnd:
        return give(key, e);
      case OpKind::kOnceBegin:
        if (e.value == 0) take(key, e);
        return;
      case OpKind::kSemWait:
      case OpKind::kSemTryWait:
        return take(key, e);
      case OpKind::kIoRead:
        if (is_acquire(e.order())) take(key, e);
        return;
      case OpKind::kSemPost:
        if (Object* object = objects_.get(key)) add(object->releases, services_.identity.place(e), e.thread);
        return;
      case OpKind::kIoWrite:
        if (!is_release(e.order())) return;
        if (Object* object = objects_.get(key)) add(object->releases, services_.identity.place(e), e.thread);
        return;
      case OpKind::kBarrierArrive:
        return arrive(e);
      case OpKind::kBarrierLeave:
        if (const std::uint32_t* round = rounds_.find(e.thread)) acquire(*round, e, services_.identity.lock(key));
        return;
      case OpKind::kCondWait:
        give(e.value, e);
        return wait(e);
      case OpKind::kCondSignal:
        if (static_cast<ThreadIndex>(e.value) != kNoThread) wake(static_cast<ThreadIndex>(e.value), e);
        return;
      case OpKind::kCondBroadcast:
        return broadcast(e);
      case OpKind::kCondReacquire:
        take(e.value, e);
        return resume(e);
      default:
        return;
    }
  }

  KeyedPool<Object> objects_;
  Pool<Release> releases_;
  SparseArray<std::uint32_t> rounds_;  // arrivals of the round that the thread is in
  SparseArray<std::uint32_t> woken_;   // the signal that woke it
  SparseArray<std::uint64_t> waiting_;
  ThreadIndex list_[kMostWaiters];
  std::uint32_t waiters_ = 0;
  bool full_ = false;
};

}  // namespace

Metric* create_hbpair(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<HbPair>(memory, services);
}

}  // namespace ravel
