// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/prediction.h"

namespace ravel {

void Selection::cut(std::uint32_t begin) {
  begin_ = begin;
  for (std::uint32_t i = begin; i < steps_.count(); ++i) out_[i] = steps_.is_before(begin, i) ? 1 : 0;
}

void Selection::remove(std::uint32_t step) {
  for (std::uint32_t i = step; i < steps_.count(); ++i) {
    if (steps_.is_before(step, i)) out_[i] = 1;
  }
}

namespace {

bool failed(const OperationView& op) {
  return (op.bits & kFailed) != 0;
}

class Predictor {
 public:
  Predictor(const Selection& past, const Step& next)
      : past_(past), steps_(past.steps()), next_(next), op_(next.act.op), timed_((next.operand & 1) != 0) {
    result_.act = next.act;
    result_.act.choice = kNoChoice;
    result_.act.op.bits &= static_cast<std::uint8_t>(~(kTimeout | kSpurious));
  }

  Prediction run() {
    // Fair time: within the phase that its time-out began the thread just has to be let through.
    timed_out_ = (op_.bits & kTimeout) != 0 && !steps_.adversarial() && past_.begin() < steps_.count() &&
                 steps_[past_.begin()].phase == next_.phase;
    switch (family_of(op_.kind)) {
      case OpFamily::kLifecycle:
        lifecycle();
        break;
      case OpFamily::kMemory:
        memory();
        break;
      case OpFamily::kMutex:
        mutex();
        break;
      case OpFamily::kCond:
        condvar();
        break;
      case OpFamily::kRw:
        rwlock();
        break;
      case OpFamily::kSem:
        semaphore();
        break;
      case OpFamily::kBarrier:
        barrier();
        break;
      case OpFamily::kOnce:
        once();
        break;
      case OpFamily::kFutex:
        futex();
        break;
      default:
        enable();
        break;
    }
    return result_;
  }

 private:
  template <class Visit>
  void replay(Visit visit) const {
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      if (past_.has(i)) visit(i, steps_[i].act.op);
    }
  }

  void enable() { result_.enabled = true; }
  void enable(bool fails) {
    result_.enabled = true;
    set(kFailed, fails);
  }
  void set(std::uint8_t bit, bool on) {
    std::uint8_t& bits = result_.act.op.bits;
    bits = static_cast<std::uint8_t>(on ? bits | bit : bits & ~bit);
  }
  // It would have to wait. A timed one may give up instead.
  void block(std::uint32_t blocker) {
    if (timed_out_ || (timed_ && steps_.adversarial())) {
      enable(true);
      set(kTimeout, true);
    } else {
      result_.blocker = blocker;
    }
  }

  void lifecycle() {
    if (op_.kind != OpKind::kThreadStart && op_.kind != OpKind::kThreadJoin) return enable();
    const bool start = op_.kind == OpKind::kThreadStart;
    replay([&](std::uint32_t, const OperationView& op) {
      if (start && op.kind == OpKind::kThreadCreate && op.value == op_.thread) enable();
      if (!start && op.kind == OpKind::kThreadEnd && op.thread == op_.value) enable();
    });
    if (!result_.enabled) {
      block(kNoStep);
    } else if (!start) {
      set(kFailed, false);
    }
  }

  // One byte of an access' value.
  static bool byte_of(const OperationView& op, std::uint64_t place, std::uint64_t value, std::uint64_t& byte) {
    if (op.size > 8) return false;
    byte = value >> (8 * (place - op.place)) & 0xff;
    return true;
  }
  // The byte at a place behind the selected steps.
  bool byte_at(std::uint64_t place, std::uint64_t& byte) const {
    for (std::uint32_t i = steps_.count(); i-- > 0;) {
      const OperationView& op = steps_[i].act.op;
      if (!past_.has(i) || !is_memory_access(op.kind) || !has_write_effect(op.kind, op.bits) ||
          !ranges_meet(place, 1, op.place, op.size)) {
        continue;
      }
      const bool stored = op.kind == OpKind::kAtomicStore || op.kind == OpKind::kWrite;
      return byte_of(op, place, stored ? op.value : steps_[i].operand, byte);
    }
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {  // nobody wrote: what the very first access found
      const OperationView& op = steps_[i].act.op;
      const bool looks = has_read_effect(op.kind) || op.kind == OpKind::kFutexWait;
      if ((!looks && !is_memory_access(op.kind)) || !ranges_meet(place, 1, op.place, op.size)) continue;
      return byte_of(op, place, looks ? op.value : steps_[i].operand, byte);
    }
    return false;
  }
  // The value of the bytes the operation looks at.
  bool value(std::uint64_t place, std::uint32_t size, std::uint64_t& value) const {
    if (size > 8) return false;
    value = 0;
    for (std::uint32_t b = 0; b < size; ++b) {
      std::uint64_t byte = 0;
      if (!byte_at(place + b, byte)) return false;
      value |= byte << (8 * b);
    }
    return true;
  }

  void memory() {
    std::uint64_t now = 0;
    if (next_.waited) {
      // It had read the same value again and again and waits for another one.
      if (!value(op_.place, op_.size, now)) return;
      for (std::uint32_t i = next_.previous; i != kNoStep; i = steps_[i].previous) {
        const OperationView& before = steps_[i].act.op;
        if (!is_memory_access(before.kind) || before.place != op_.place) continue;
        if (before.value == now) return;
        break;
      }
    }
    enable();
    if (op_.kind != OpKind::kAtomicCas || next_.pending) return;  // what a pending one expects is not known
    const std::uint64_t expected = failed(op_) ? next_.operand : op_.value;
    set(kFailed, value(op_.place, op_.size, now) && now != expected);
  }

  // Who holds the mutex, and since which step.
  void owner_of(std::uint64_t place, std::uint32_t& owner, std::uint32_t& since) const {
    owner = kNoThread;
    since = kNoStep;
    std::uint32_t depth = 0;
    replay([&](std::uint32_t i, const OperationView& op) {
      const bool takes = (op.place == place && (op.kind == OpKind::kMutexLock || op.kind == OpKind::kMutexTryLock)) ||
                         (op.value == place && op.kind == OpKind::kCondReacquire);
      const bool gives =
          (op.place == place && op.kind == OpKind::kMutexUnlock) || (op.value == place && op.kind == OpKind::kCondWait);
      if (failed(op)) return;
      if (takes) {
        if (depth++ == 0) since = i;
        owner = op.thread;
      } else if (gives && depth != 0 && --depth == 0) {
        owner = kNoThread;
        since = kNoStep;
      }
    });
  }

  void mutex() {
    std::uint32_t owner = kNoThread;
    std::uint32_t since = kNoStep;
    owner_of(op_.place, owner, since);
    const bool busy = owner != kNoThread && owner != op_.thread;
    if (op_.kind == OpKind::kMutexTryLock) {
      enable(owner == op_.thread ? failed(op_) : busy);
    } else if (op_.kind == OpKind::kMutexLock) {
      if (busy) return block(since);
      enable(owner == op_.thread && failed(op_) && (op_.bits & kTimeout) == 0);
    } else {
      enable();
    }
  }

  void condvar() {
    if (op_.kind == OpKind::kCondReacquire) return reacquire();
    enable();
    if (op_.kind != OpKind::kCondSignal) return;
    std::uint32_t woken = kNoThread;
    result_.options = waiters_at(past_, op_.place, 0, &woken);
    result_.act.op.value = woken;
    if (result_.options > 1) result_.act.choice = 0;
  }

  void reacquire() {
    bool waits = false;
    bool woken = false;
    replay([&](std::uint32_t, const OperationView& op) {
      if (op.place != op_.place) return;
      if (op.thread == op_.thread && op.kind == OpKind::kCondWait) {
        waits = true;
        woken = false;
      }
      if (!waits) return;
      if (op.kind == OpKind::kCondBroadcast || (op.kind == OpKind::kCondSignal && op.value == op_.thread)) woken = true;
    });
    const bool spurious = !woken && (op_.bits & kSpurious) != 0;
    const bool gives_up = !woken && (timed_out_ || (timed_ && steps_.adversarial()));
    if (!woken && !spurious && !gives_up) return;
    std::uint32_t owner = kNoThread;
    owner_of(op_.value, owner, result_.blocker);
    if (owner != kNoThread) return;
    enable();
    set(kTimeout, gives_up && !spurious);
    set(kSpurious, spurious);
  }

  void rwlock() {
    // Few threads hold it at a time: look for each step that takes it whether it was given back.
    std::uint32_t readers = kNoStep;  // a step of a reader who is still inside
    std::uint32_t writer = kNoStep;
    bool mine = false;
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.place != op_.place || failed(op)) return;
      const bool reads = op.kind == OpKind::kRwReadLock || op.kind == OpKind::kRwTryReadLock;
      const bool writes = op.kind == OpKind::kRwWriteLock || op.kind == OpKind::kRwTryWriteLock;
      if ((!reads && !writes) || given_back(i)) return;
      if (op.thread == op_.thread) mine = true;
      (reads ? readers : writer) = i;
    });
    switch (op_.kind) {
      case OpKind::kRwReadLock:
        return writer != kNoStep && !mine ? block(writer) : enable(failed(op_) && mine);
      case OpKind::kRwWriteLock:
        if (writer != kNoStep) return mine ? enable(true) : block(writer);
        return readers != kNoStep ? block(readers) : enable(false);
      case OpKind::kRwTryReadLock:
        return enable(writer != kNoStep);
      case OpKind::kRwTryWriteLock:
        return enable(writer != kNoStep || readers != kNoStep);
      default:
        return enable();
    }
  }

  // The n-th time a thread takes the lock is undone by the n-th time it gives it back, counted from the end.
  [[nodiscard]] bool given_back(std::uint32_t step) const {
    const OperationView& taken = steps_[step].act.op;
    int depth = 1;
    for (std::uint32_t i = step + 1; i < steps_.count(); ++i) {
      const OperationView& op = steps_[i].act.op;
      if (!past_.has(i) || op.place != taken.place || op.thread != taken.thread || failed(op)) continue;
      if (op.kind == OpKind::kRwUnlock) {
        if (--depth == 0) return true;
      } else if (op.kind >= OpKind::kRwReadLock && op.kind <= OpKind::kRwTryWriteLock) {
        ++depth;
      }
    }
    return false;
  }

  static std::int64_t taken(const OperationView& op) {
    if (failed(op)) return 0;
    return op.kind == OpKind::kSemPost ? 1 : op.kind == OpKind::kSemWait || op.kind == OpKind::kSemTryWait ? -1 : 0;
  }

  void semaphore() {
    // Every event carries the value behind it; the first one tells where it began.
    std::int64_t now = 0;
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      const OperationView& op = steps_[i].act.op;
      if (op.place != op_.place || family_of(op.kind) != OpFamily::kSem) continue;
      now = static_cast<std::int64_t>(op.value) - taken(op);
      break;
    }
    replay([&](std::uint32_t, const OperationView& op) {
      if (op.place == op_.place) now += taken(op);
    });
    if (op_.kind == OpKind::kSemTryWait) return enable(now <= 0);
    if (op_.kind == OpKind::kSemWait) return now <= 0 ? block(kNoStep) : enable(false);
    enable();
  }

  void barrier() {
    if (op_.kind == OpKind::kBarrierArrive) {
      std::uint64_t arrived = 0;
      replay([&](std::uint32_t, const OperationView& op) {
        arrived += op.place == op_.place && op.kind == OpKind::kBarrierArrive && !failed(op);
      });
      enable();
      if (next_.operand != 0) {
        result_.act.op.value = (arrived + 1) % next_.operand == 0 ? kFilledRound : kOthersMissing;
      }
      return;
    }
    if (op_.kind != OpKind::kBarrierLeave) return enable();
    bool arrived = false;  // the thread's own last arrival was seen
    bool full = false;
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.place != op_.place || op.kind != OpKind::kBarrierArrive) return;
      if (i == next_.previous) arrived = true;
      if (arrived && op.value == kFilledRound) full = true;
    });
    if (full) enable();
  }

  void once() {
    std::uint32_t runner = kNoStep;
    bool done = false;
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.place != op_.place || failed(op)) return;
      if (op.kind == OpKind::kOnceBegin && op.value == kOnceRuns) runner = i;
      if (op.kind == OpKind::kOnceEnd || op.kind == OpKind::kOnceAbort) runner = kNoStep;
      if (op.kind == OpKind::kOnceEnd) done = true;
    });
    if (op_.kind != OpKind::kOnceBegin) return enable();
    if (runner != kNoStep) return block(runner);
    enable();
    result_.act.op.value = done ? kOnceDone : kOnceRuns;
  }

  void futex() {
    if (op_.kind == OpKind::kFutexWait) {
      const std::uint64_t expected = next_.operand;
      std::uint64_t now = 0;
      return enable(value(op_.place, kFutexWordBytes, now) && now != expected);
    }
    if (op_.kind == OpKind::kFutexWake) return enable();
    if (woken_by_futex() || (op_.bits & kSpurious) != 0) {
      enable();
      set(kSpurious, (op_.bits & kSpurious) != 0);
    } else {
      block(kNoStep);
      set(kFailed, false);
    }
  }

  // First come, first served: those before it in the queue when the wakes came.
  [[nodiscard]] bool woken_by_futex() const {
    bool waits = false;
    bool woken = false;
    std::uint64_t ahead = 0;  // of it in the queue
    std::uint64_t queue = 0;
    replay([&](std::uint32_t, const OperationView& op) {
      if (op.place != op_.place || family_of(op.kind) != OpFamily::kFutex || failed(op)) return;
      if (op.kind == OpKind::kFutexWait) {
        if (op.thread == op_.thread) {
          waits = true;
          woken = false;
          ahead = queue;
        }
        ++queue;
      } else if (op.kind == OpKind::kFutexWake) {
        if (waits && !woken && op.value > ahead) woken = true;
        ahead -= op.value < ahead ? op.value : ahead;
        queue -= op.value < queue ? op.value : queue;
      } else if ((op.bits & (kTimeout | kSpurious)) != 0) {
        if (queue != 0) --queue;
        if (ahead != 0) --ahead;
      }
    });
    return woken;
  }

  const Selection& past_;
  const Steps& steps_;
  const Step& next_;
  const OperationView op_;
  bool timed_;
  bool timed_out_ = false;
  Prediction result_;
};

}  // namespace

Prediction predict(const Selection& past, const Step& next) {
  return Predictor(past, next).run();
}

std::uint32_t waiters_at(const Selection& past, std::uint64_t place, std::uint32_t n, std::uint32_t* nth) {
  const Steps& steps = past.steps();
  std::uint32_t count = 0;
  *nth = kNoThread;
  for (std::uint32_t column = 0; column < steps.columns(); ++column) {
    bool waits = false;
    std::uint32_t name = kNoThread;
    for (std::uint32_t i = 0; i < steps.count(); ++i) {
      const OperationView& op = steps[i].act.op;
      if (!past.has(i) || op.place != place || family_of(op.kind) != OpFamily::kCond || failed(op)) continue;
      if (steps[i].column == column) {
        name = op.thread;
        waits = op.kind == OpKind::kCondWait || (waits && op.kind != OpKind::kCondReacquire);
      } else if (op.kind == OpKind::kCondBroadcast || (op.kind == OpKind::kCondSignal && op.value == name)) {
        waits = false;
      }
    }
    if (waits && count++ == n) *nth = name;
  }
  return count;
}

}  // namespace ravel
