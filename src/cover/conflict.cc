// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// conflict: two operations of different threads whose order scheduling alone decides, as static analysis pairs them:
//   RW   the same memory, at least one writes; atomics too. What the C library and the kernel keep, as files, is none
//   MM   two acquisitions of a lock, not both for reading
//   WM   a wait and an acquisition of its mutex
//   WN   a wait and a notification
// Threads are ordered by creations and joins only, and by the arming of the timer that started one; RW and MM do not
// count while a lock is held around both. What atomics and conditions order is chance: another execution may show it
// otherwise.
#include "cover/metric.h"
#include "cover/metrics.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostThreads = 64;

class Conflicts final : public Metric {
 public:
  Conflicts(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), objects_(memory, kCoverVariables), past_(memory, 1u << 15) {}

  void begin() override {
    objects_.clear();
    past_.clear();
    full_ = false;
    for (std::uint32_t& time : clocks_[0].at) time = 0;
    clocks_[0].at[0] = 1;
    timers_ = clocks_[0];
    threads_ = 1;
  }

  void on_access(const Access& a) override {
    meet(a.variable, {.place = a.place, .thread = a.event.thread, .does = a.write ? kWrites : kReads}, 0);
  }

  void on_event(const Event& e, const Moment&) override {
    if (op_class(e.kind) == OpClass::kLifecycle) return lifecycle(e);
    if (e.kind == OpKind::kSignalSend || e.kind == OpKind::kSignalHandle) return timer(e);
    const Atom place = services_.identity.place(e);
    if (place == 0) return;
    const auto act = [&](std::uint64_t key, Does does, std::uint64_t without) {
      meet(key, {.place = place, .thread = e.thread, .does = does}, without);
    };
    if (is_atomic_access(e.kind)) {
      if (services_.identity.is_library_state(e.object)) return;
      return act(place_of(e), has_write_effect(e.kind, e.bits) ? kWrites : kReads, 0);
    }
    switch (e.kind) {
      case OpKind::kCondWait:
        act(place_of(e), kWaits, 0);
        return act(e.value, kGivesBack, 0);
      case OpKind::kCondSignal:
      case OpKind::kCondBroadcast:
        return act(place_of(e), kNotifies, 0);
      default:
        break;
    }
    const LockHold* taken = services_.locks.just_taken();
    if (op_class(e.kind) == OpClass::kSync && taken != nullptr && e.kind != OpKind::kCondReacquire) {
      act(taken->place, taken->shared ? kLocksShared : kLocks, taken->place);
    }
  }

  [[nodiscard]] bool truncated() const override { return full_ || objects_.full() || !services_.locks.complete(); }

 private:
  enum Does : std::uint8_t { kReads, kWrites, kLocks, kLocksShared, kWaits, kNotifies, kGivesBack };

  struct Lock {
    std::uint64_t place = 0;
    bool shared = false;

    friend bool operator==(const Lock&, const Lock&) = default;
  };
  struct Operation {
    Atom place = 0;
    ThreadIndex thread = 0;
    Does does = kReads;
    std::uint32_t time = 0;  // of its thread
    std::uint32_t next = 0;
    std::uint32_t locks = 0;
    Lock held[HeldLocks::kMost] = {};
  };
  // When a thread was last known to have come how far, by creations and joins.
  struct Clock {
    std::uint32_t at[kMostThreads] = {};
  };
  struct Object {
    std::uint32_t first = 0;
  };

  void lifecycle(const Event& e) {
    const auto other = static_cast<ThreadIndex>(e.value);
    if (e.failed() || (e.bits & kTimeout) != 0 || other == e.thread) return;
    if (e.kind != OpKind::kThreadCreate && e.kind != OpKind::kThreadJoin) return;
    if (other >= kMostThreads || e.thread >= kMostThreads) {
      full_ = true;
      return;
    }
    Clock& mine = clocks_[e.thread];
    const Clock& others = clocks_[other];
    if (e.kind == OpKind::kThreadCreate) {
      clocks_[other] = mine;
      clocks_[other].at[other] = 1;
      ++mine.at[e.thread];
      if (other >= threads_) threads_ = other + 1u;
      return;
    }
    join(mine, others);
  }

  // To a trace a thread that a timer starts is a child of main. It comes behind what armed timers: a signal without a
  // number that is sent, and handled as the thread begins.
  void timer(const Event& e) {
    if (e.size != 0 || e.thread >= kMostThreads) return;
    Clock& mine = clocks_[e.thread];
    if (e.kind == OpKind::kSignalHandle) return join(mine, timers_);
    join(timers_, mine);
    ++mine.at[e.thread];
  }

  void join(Clock& mine, const Clock& others) const {
    for (std::uint32_t i = 0; i < threads_; ++i) {
      if (others.at[i] > mine.at[i]) mine.at[i] = others.at[i];
    }
  }

  // `without`: a lock that does not count as held.
  void meet(std::uint64_t key, Operation operation, std::uint64_t without) {
    if (operation.place == 0) return;
    Object* object = objects_.get(key);
    if (object == nullptr || operation.thread >= kMostThreads) {
      full_ = true;
      return;
    }
    for (const LockHold& lock : services_.locks.of(operation.thread)) {
      if (lock.place != without) operation.held[operation.locks++] = {lock.place, lock.shared};
    }
    const Clock& clock = clocks_[operation.thread];
    operation.time = clock.at[operation.thread];
    bool known = false;
    for (std::uint32_t i = object->first; i != 0; i = past_[i].next) {
      const Operation& other = past_[i];
      known = known || is_same(other, operation);
      const bool ordered = other.time <= clock.at[other.thread];
      if (other.thread == operation.thread || ordered) continue;
      const CoverWord kind = conflict(other, operation);
      if (kind != CoverWord::kNone) emit(MetricId::kConflict, {other.place, operation.place, word_atom(kind)});
    }
    if (known) return;
    operation.next = object->first;
    const std::uint32_t made = past_.add(operation);
    if (made == 0) {
      full_ = true;
    } else {
      object->first = made;
    }
  }

  static bool is_same(const Operation& a, const Operation& b) {
    if (a.place != b.place || a.thread != b.thread || a.does != b.does || a.time != b.time || a.locks != b.locks) {
      return false;
    }
    for (std::uint32_t i = 0; i < a.locks; ++i) {
      if (!(a.held[i] == b.held[i])) return false;
    }
    return true;
  }

  static bool excluded(const Operation& a, const Operation& b) {
    for (std::uint32_t i = 0; i < a.locks; ++i) {
      for (std::uint32_t j = 0; j < b.locks; ++j) {
        if (a.held[i].place == b.held[j].place && !(a.held[i].shared && b.held[j].shared)) return true;
      }
    }
    return false;
  }

  static CoverWord conflict(const Operation& a, const Operation& b) {
    const auto either = [&](Does does) { return a.does == does || b.does == does; };
    const auto both = [&](Does one, Does other) {
      return (a.does == one || a.does == other) && (b.does == one || b.does == other);
    };
    if (both(kReads, kWrites)) return either(kWrites) && !excluded(a, b) ? CoverWord::kRW : CoverWord::kNone;
    if (both(kLocks, kLocksShared)) return either(kLocks) && !excluded(a, b) ? CoverWord::kMM : CoverWord::kNone;
    if (either(kWaits) && either(kNotifies)) return CoverWord::kWN;
    return either(kGivesBack) && (either(kLocks) || either(kLocksShared)) ? CoverWord::kWM : CoverWord::kNone;
  }

  KeyedPool<Object> objects_;
  Pool<Operation> past_;
  Clock clocks_[kMostThreads] = {};
  Clock timers_;  // what armed them
  std::uint32_t threads_ = 1;
  bool full_ = false;
};

}  // namespace

Metric* create_conflict(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<Conflicts>(memory, services);
}

}  // namespace ravel
