// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/random_trace.h"

#include <iterator>
#include <optional>

#include "base/random.h"

namespace ravel::testing {
namespace {

constexpr std::uint32_t kMaxLive = 4;
constexpr std::uint32_t kMostThreads = 9;
constexpr std::uint32_t kParties = 2;
constexpr std::uint32_t kBases[] = {0, 56, 4088, 200};  // in one line of 64 bytes and across two
// Objects: 1, 2 memory; 3 atomics; 4.. synchronisation; 20.. heap.
constexpr ObjectId kMutex = 4, kRwlock = 5, kSemaphore = 6, kBarrier = 7, kOnce = 8, kCondition = 9, kHeap = 20;

struct Thread {
  bool alive = true;
  bool joined = false;
  bool in_barrier = false;
  std::uint64_t round = 0;
  bool in_wait = false;
  bool in_once = false;
  bool has_mutex = false;
  int rw = 0;  // 1 reader, 2 writer
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed), base_(kBases[seed % std::size(kBases)]), threads_(1) {}

  std::vector<Event> run(std::size_t length) {
    // Each trace has its own taste, or rare chains would drown in locks that order everything.
    for (std::uint32_t& w : weights_) w = static_cast<std::uint32_t>(random_.below(4) == 0 ? 0 : random_.below(10));
    weights_[0] += 8;
    weights_[2] += 1;
    for (std::uint64_t more = random_.below(kMaxLive); more > 0; --more) {
      emit(0, OpKind::kThreadCreate, 0, 0, 0, threads_.size());
      threads_.emplace_back();
    }
    for (std::size_t tries = 0; events_.size() < length && tries < length * 20; ++tries) step();
    return std::move(events_);
  }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }

  void emit(ThreadIndex t, OpKind kind, ObjectId object, std::uint32_t offset = 0, std::uint16_t size = 0,
            std::uint64_t value = 0, std::uint8_t bits = 0) {
    Event e;
    e.kind = kind;
    e.bits = bits;
    e.size = size;
    e.thread = t;
    e.object = object;
    e.offset = offset;
    e.location = static_cast<LocationId>(100 + events_.size());
    e.value = value;
    events_.push_back(e);
  }

  void step() {
    const auto t = static_cast<ThreadIndex>(random_.below(threads_.size()));
    Thread& me = threads_[t];
    if (!me.alive) return;
    if (me.in_barrier) {
      if (me.round < arrivals_ / kParties) {
        emit(t, OpKind::kBarrierLeave, kBarrier);
        me.in_barrier = false;
      }
      return;
    }
    if (me.in_wait) {
      if (mutex_owner_ == kNoThread && chance(2)) {
        emit(t, OpKind::kCondReacquire, kCondition, 0, 0, std::uint64_t{kMutex} << 32);
        mutex_owner_ = t;
        me.in_wait = false;
        me.has_mutex = true;
      }
      return;
    }
    std::uint64_t sum = 0;
    for (const std::uint32_t w : weights_) sum += w;
    std::uint64_t pick = random_.below(sum);
    std::uint32_t which = 0;
    while (pick >= weights_[which]) pick -= weights_[which++];
    switch (which) {
      case 0:
        return memory(t);
      case 1:
        return atomic(t);
      case 2:
        return lifecycle(t);
      case 3:
        return mutex(t);
      case 4:
        return rwlock(t);
      case 5:
        return semaphore(t);
      case 6:
        return barrier(t);
      case 7:
        return once(t);
      case 8:
        return heap(t);
      default:
        return fence(t);
    }
  }

  void memory(ThreadIndex t) {
    static constexpr std::uint16_t kSizes[] = {1, 2, 4, 8};
    const std::uint16_t size = kSizes[random_.below(4)];
    const OpKind kind = chance(3) ? OpKind::kWrite : OpKind::kRead;
    // Now and then over an atomic, or unaligned across two cells.
    if (chance(8)) return emit(t, kind, 3, base_ + static_cast<std::uint32_t>(random_.below(2) * 8), 4);
    const auto object = static_cast<ObjectId>(1 + random_.below(2));
    const auto offset = base_ + static_cast<std::uint32_t>(random_.below(12));
    emit(t, kind, object, offset, size);
  }

  void atomic(ThreadIndex t) {
    static constexpr std::uint8_t kLoad[] = {__ATOMIC_RELAXED, __ATOMIC_CONSUME, __ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST};
    static constexpr std::uint8_t kStore[] = {__ATOMIC_RELAXED, __ATOMIC_RELEASE, __ATOMIC_SEQ_CST};
    static constexpr std::uint8_t kRmw[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
                                            __ATOMIC_SEQ_CST};
    const auto offset = base_ + static_cast<std::uint32_t>(random_.below(2) * 8);
    switch (random_.below(4)) {
      case 0:
        return emit(t, OpKind::kAtomicLoad, 3, offset, 4, 0, kLoad[random_.below(4)]);
      case 1:
        return emit(t, OpKind::kAtomicStore, 3, offset, 4, 0, kStore[random_.below(3)]);
      case 2:
        return emit(t, OpKind::kAtomicRmw, 3, offset, 4, 0, kRmw[random_.below(5)]);
      default:
        if (chance(2)) {
          return emit(t, OpKind::kAtomicCas, 3, offset, 4, 0,
                      static_cast<std::uint8_t>(kLoad[random_.below(4)] | kFailed));
        }
        return emit(t, OpKind::kAtomicCas, 3, offset, 4, 0, kRmw[random_.below(5)]);
    }
  }

  void fence(ThreadIndex t) {
    static constexpr std::uint8_t kOrders[] = {__ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
    emit(t, OpKind::kFence, 0, 0, 0, 0, kOrders[random_.below(4)]);
  }

  void lifecycle(ThreadIndex t) {
    Thread& me = threads_[t];
    std::uint32_t live = 0;
    for (const Thread& x : threads_) live += x.alive;
    switch (random_.below(3)) {
      case 0:
        if (live >= kMaxLive || threads_.size() >= kMostThreads) return;
        emit(t, OpKind::kThreadCreate, 0, 0, 0, threads_.size());
        threads_.emplace_back();
        return;
      case 1:
        if (t == 0 || me.has_mutex || me.rw != 0 || me.in_once || chance(2)) return;
        emit(t, OpKind::kThreadEnd, 0);
        me.alive = false;
        return;
      default: {
        const auto other = static_cast<ThreadIndex>(random_.below(threads_.size()));
        if (threads_[other].alive || threads_[other].joined) return;
        threads_[other].joined = true;
        emit(t, OpKind::kThreadJoin, 0, 0, 0, other);
        return;
      }
    }
  }

  void mutex(ThreadIndex t) {
    Thread& me = threads_[t];
    if (me.has_mutex) {
      me.has_mutex = false;
      mutex_owner_ = kNoThread;
      if (chance(3)) {
        me.in_wait = true;
        return emit(t, OpKind::kCondWait, kCondition, 0, 0, std::uint64_t{kMutex} << 32);
      }
      return emit(t, OpKind::kMutexUnlock, kMutex);
    }
    if (chance(5)) return emit(t, OpKind::kCondSignal, kCondition, 0, 0, kNoThread);
    if (mutex_owner_ != kNoThread) return emit(t, OpKind::kMutexTryLock, kMutex, 0, 0, 0, kFailed);
    mutex_owner_ = t;
    me.has_mutex = true;
    emit(t, chance(2) ? OpKind::kMutexLock : OpKind::kMutexTryLock, kMutex);
  }

  void rwlock(ThreadIndex t) {
    Thread& me = threads_[t];
    if (me.rw != 0) {
      if (me.rw == 1) --readers_;
      if (me.rw == 2) writer_ = false;
      me.rw = 0;
      return emit(t, OpKind::kRwUnlock, kRwlock);
    }
    if (chance(2)) {
      if (writer_) return;
      ++readers_;
      me.rw = 1;
      return emit(t, OpKind::kRwReadLock, kRwlock);
    }
    if (writer_ || readers_ != 0) return emit(t, OpKind::kRwTryWriteLock, kRwlock, 0, 0, 0, kFailed);
    writer_ = true;
    me.rw = 2;
    emit(t, OpKind::kRwWriteLock, kRwlock);
  }

  void semaphore(ThreadIndex t) {
    if (units_ != 0 && chance(2)) {
      --units_;
      return emit(t, OpKind::kSemWait, kSemaphore);
    }
    if (units_ == 0 && chance(4)) return emit(t, OpKind::kSemTryWait, kSemaphore, 0, 0, 0, kFailed);
    ++units_;
    emit(t, OpKind::kSemPost, kSemaphore);
  }

  void barrier(ThreadIndex t) {
    Thread& me = threads_[t];
    if (me.has_mutex || me.rw != 0) return;
    me.in_barrier = true;
    me.round = arrivals_++ / kParties;
    emit(t, OpKind::kBarrierArrive, kBarrier, 0, 0, arrivals_ % kParties == 0 ? 0 : 1);
  }

  void once(ThreadIndex t) {
    Thread& me = threads_[t];
    if (me.in_once) {
      me.in_once = false;
      once_running_ = false;
      once_done_ = chance(2);
      return emit(t, once_done_ ? OpKind::kOnceEnd : OpKind::kOnceAbort, kOnce);
    }
    if (once_done_) return emit(t, OpKind::kOnceBegin, kOnce, 0, 0, 0);
    if (once_running_) return;
    once_running_ = me.in_once = true;
    emit(t, OpKind::kOnceBegin, kOnce, 0, 0, 1);
  }

  void heap(ThreadIndex t) {
    if (chance(6)) {
      freed_ = false;
      return emit(t, OpKind::kHeapAlloc, ++heap_, 0, 0, 16);
    }
    if (heap_ == kHeap) return;
    if (!freed_ && chance(4)) {
      freed_ = true;
      return emit(t, OpKind::kHeapFree, heap_, 0, 0, 16);
    }
    emit(t, chance(3) ? OpKind::kWrite : OpKind::kRead, heap_, base_ + static_cast<std::uint32_t>(random_.below(12)),
         4);
  }

  Random random_;
  std::uint32_t base_;  // where data begins in its object
  std::vector<Event> events_;
  std::vector<Thread> threads_;
  std::uint32_t weights_[10] = {};
  ThreadIndex mutex_owner_ = kNoThread;
  std::uint32_t readers_ = 0;
  bool writer_ = false;
  std::uint32_t units_ = 0;
  std::uint64_t arrivals_ = 0;
  bool once_running_ = false;
  bool once_done_ = false;
  ObjectId heap_ = kHeap;
  bool freed_ = false;
};

}  // namespace

std::vector<Event> random_trace(std::uint64_t seed, std::size_t length) {
  return Generator(seed).run(length);
}

}  // namespace ravel::testing
