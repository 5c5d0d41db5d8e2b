// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/prediction.h"

#include "semantics/mutex.h"
#include "semantics/process_exit.h"
#include "semantics/semaphore.h"

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

void Selection::keep_before(std::uint32_t end) {
  begin_ = end;
  for (std::uint32_t i = end; i < steps_.count(); ++i) out_[i] = 1;
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

  // Nothing is known but whose turn it would be.
  static Prediction guess(const Step& next) {
    Prediction result;
    result.enabled = Enabled::kMaybe;
    result.act = next.act;
    result.act.choice = kNoChoice;
    result.act.ends = true;  // depends on everything
    result.open = true;
    return result;
  }

  Prediction run() {
    // Fair time: within the phase that its time-out began the thread just has to be let through.
    timed_out_ = (op_.bits & kTimeout) != 0 && !steps_.adversarial() && past_.begin() < steps_.count() &&
                 steps_[past_.begin()].phase == next_.phase;
    switch (family_of(op_.kind)) {
      case OpFamily::kNone:
        if (op_.kind == OpKind::kWakeUp) return guess(next_);  // steps cost time
        enable();
        break;
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
      case OpFamily::kIo:
      case OpFamily::kSignal:
        outside();
        break;
      case OpFamily::kExit:
        process_exit();
        break;
      case OpFamily::kHeap:
        enable();
        break;
    }
    if (reasoning_of(op_.kind) == Reasoning::kUnknown) return guess(next_);
    return result_;
  }

 private:
  template <class Visit>
  void replay(Visit visit) const {
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      if (past_.has(i)) visit(i, steps_[i].act.op);
    }
  }

  void enable() { result_.enabled = Enabled::kYes; }
  void enable(bool fails) {
    enable();
    set(kFailed, fails);
  }
  void leave_open() {
    result_.open = true;
    set(kFailed, false);
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
    if (result_.enabled == Enabled::kNo) {
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
  static bool looks_at_memory(OpKind kind) { return has_read_effect(kind) || kind == OpKind::kFutexWait; }
  static std::uint64_t value_after(const Step& step) {
    const OpKind kind = step.act.op.kind;
    const bool operand = kind == OpKind::kAtomicRmw || (kind == OpKind::kAtomicCas && !failed(step.act.op));
    return operand ? step.operand : step.act.op.value;
  }
  // The byte at a place behind the selected steps.
  bool byte_at(std::uint64_t place, std::uint64_t& byte) const {
    for (std::uint32_t i = steps_.count(); i-- > 0;) {
      const OperationView& op = steps_[i].act.op;
      const bool writes = is_memory_access(op.kind) && has_write_effect(op.kind, op.bits);
      // Before the cut everything is as it was: there a read tells as well, and more than an older write.
      if (!past_.has(i) || !(writes || (i < past_.begin() && looks_at_memory(op.kind))) ||
          !ranges_meet(place, 1, op.place, op.size)) {
        continue;
      }
      return byte_of(op, place, value_after(steps_[i]), byte);
    }
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {  // nobody wrote: what the very first access found
      const OperationView& op = steps_[i].act.op;
      const bool looks = looks_at_memory(op.kind);
      if ((!looks && !is_memory_access(op.kind)) || !ranges_meet(place, 1, op.place, op.size)) continue;
      return byte_of(op, place, looks ? op.value : steps_[i].operand, byte);
    }
    return false;
  }
  // The value of the bytes the operation looks at.
  bool value(std::uint64_t place, std::uint32_t size, std::uint64_t& value) const {
    if (size > 8 || !is_followed(place, size)) return false;
    value = 0;
    for (std::uint32_t b = 0; b < size; ++b) {
      std::uint64_t byte = 0;
      if (!byte_at(place + b, byte)) return false;
      value |= byte << (8 * b);
    }
    return true;
  }
  // From the cut on, does each access find what the one before it has left? Otherwise the memory was written without a
  // step, by an initialisation perhaps.
  [[nodiscard]] bool is_followed(std::uint64_t place, std::uint32_t size) const {
    bool known = false;
    std::uint64_t now = 0;
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      const OperationView& op = steps_[i].act.op;
      const bool looks = looks_at_memory(op.kind);
      if ((!looks && !is_memory_access(op.kind)) || !ranges_meet(place, size, op.place, op.size)) continue;
      if (op.place != place || op.size != size) {
        known = false;
        continue;
      }
      const std::uint64_t before = looks ? op.value : steps_[i].operand;
      if (known && before != now && i >= past_.begin()) return false;
      now = has_write_effect(op.kind, op.bits) ? value_after(steps_[i]) : before;
      known = true;
    }
    return true;
  }

  void memory() {
    // It had read the same value again and again and waits for another one, at this place or at one beside it.
    if (next_.waited) {
      result_ = guess(next_);
      return;
    }
    enable();
    if (has_read_effect(op_.kind)) look_for_spinning();
    if (op_.kind != OpKind::kAtomicCas) return;
    std::uint64_t now = 0;
    // What a pending one expects is not known.
    if (next_.pending || !value(op_.place, op_.size, now)) return leave_open();
    const std::uint64_t expected = failed(op_) ? next_.operand : op_.value;
    set(kFailed, now != expected);
  }

  // Whoever reads the same value again and again, at the same line and without doing anything else, waits for another
  // one after a while (the runtime's spin_watch.h).
  void look_for_spinning() {
    std::uint64_t seen = 0;
    std::uint64_t now = 0;
    if (times_there(seen) < kEqualReads) return;
    if (!value(op_.place, op_.size, now) || now == seen) result_.enabled = Enabled::kMaybe;
  }
  static constexpr std::uint32_t kEqualReads = 3;
  std::uint32_t times_there(std::uint64_t& seen) const {
    std::uint32_t times = 0;
    for (std::uint32_t i = next_.previous; i != kNoStep; i = steps_[i].previous) {
      const OperationView& op = steps_[i].act.op;
      if (op.location == op_.location && op.place == op_.place && op.kind == op_.kind) {
        if (times != 0 && op.value != seen) break;
        seen = op.value;
        ++times;
      } else if (has_write_effect(op.kind, op.bits) ||
                 (!failed(op) && (op_class(op.kind) == OpClass::kSync || op_class(op.kind) == OpClass::kLifecycle))) {
        break;
      }
    }
    return times;
  }

  // The mutex behind the selected steps, and the step since which it is held.
  MutexState mutex_at(std::uint64_t place, std::uint32_t& since) const {
    MutexState state;
    since = kNoStep;
    replay([&](std::uint32_t i, const OperationView& op) {
      const bool of_wait = op.kind == OpKind::kCondWait || op.kind == OpKind::kCondReacquire;
      if ((of_wait ? op.value : op.place) != place || (!of_wait && family_of(op.kind) != OpFamily::kMutex)) return;
      const ThreadIndex before = owner(state);
      (void)apply(state, op);
      if (owner(state) != before) since = owner(state) == kNoThread ? kNoStep : i;
    });
    return state;
  }

  void mutex() {
    std::uint32_t since = kNoStep;
    const MutexState state = mutex_at(op_.place, since);
    // Whether a mutex is recursive shows when it was locked again, and this one was not.
    if (next_.pending && owner(state) == op_.thread) {
      result_ = guess(next_);
      return;
    }
    follow(ask(state, op_), since);
  }

  // What semantics/ says, unless it would have to wait.
  void follow(const Answer& answer, std::uint32_t blocker) {
    if (!answer.enabled) return block(blocker);
    enable(answer.fails);
    std::uint64_t seen = 0;
    const bool tries = op_.kind == OpKind::kMutexTryLock || family_of(op_.kind) == OpFamily::kRw;
    if (tries && answer.fails && times_there(seen) >= kEqualReads) result_.enabled = Enabled::kMaybe;
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
    const MutexState state = mutex_at(op_.value, result_.blocker);
    if (owner(state) != kNoThread) return;
    enable();
    set(kTimeout, gives_up && !spurious);
    set(kSpurious, spurious);
  }

  void rwlock() {
    RwState state;
    std::uint32_t holder = kNoStep;  // who came in last and is still inside
    std::uint32_t waiting = 0;       // writers that keep readers outside
    bool queued = false;             // it is one of them
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.place != op_.place || family_of(op.kind) != OpFamily::kRw) return;
      (void)apply(state, op);
      if (!failed(op) && op.kind != OpKind::kRwUnlock && !given_back(i)) holder = i;
      if ((op.value & kQueued) != 0) {
        ++waiting;
        queued = queued || op.thread == op_.thread;
      } else if (op.kind == OpKind::kRwWriteLock && waits_in_queue(i)) {
        --waiting;
        queued = queued && op.thread != op_.thread;
      }
    });
    if (!queued && comes_to_wait()) return queue_writer(state);
    Answer answer = ask(state, op_);
    const bool kept_out = (op_.value & kPrefersWriters) != 0 && !passes_writers(state, waiting);
    if (op_.kind == OpKind::kRwReadLock && kept_out && state.writer_plus_one == 0) answer = {false};
    if (op_.kind == OpKind::kRwTryReadLock && kept_out) answer.fails = true;
    if (op_.kind == OpKind::kRwUnlock) result_.act.op.value = answer.value | (op_.value & kPrefersWriters);
    follow(answer, holder);
  }

  // The step is the end of a wait that began with its thread's step before it.
  [[nodiscard]] bool waits_in_queue(std::uint32_t step) const {
    const std::uint32_t before = steps_[step].previous;
    if (before == kNoStep) return false;
    const OperationView& op = steps_[before].act.op;
    return op.kind == OpKind::kRwTryWriteLock && op.place == steps_[step].act.op.place && (op.value & kQueued) != 0;
  }

  // The first step of a write lock that prefers writers: it takes the lock or comes to wait for it.
  [[nodiscard]] bool comes_to_wait() const {
    if (op_.kind == OpKind::kRwTryWriteLock) return (op_.value & kQueued) != 0;
    return op_.kind == OpKind::kRwWriteLock && (op_.value & kPrefersWriters) != 0;
  }
  void queue_writer(const RwState& state) {
    const bool free = can_write_lock(state, op_.thread);
    enable(!free);
    result_.act.op.kind = free ? OpKind::kRwWriteLock : OpKind::kRwTryWriteLock;
    result_.act.op.value = free ? kPrefersWriters : kQueued;
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

  void semaphore() {
    // Every event carries the value behind it. Before the cut that is the value; the very first event tells where it
    // began.
    SemState state;
    bool known = false;
    for (std::uint32_t i = past_.begin(); i-- > 0 && !known;) {
      const OperationView& op = steps_[i].act.op;
      known = op.place == op_.place && family_of(op.kind) == OpFamily::kSem;
      if (known) state.value = static_cast<std::uint32_t>(op.value);
    }
    for (std::uint32_t i = past_.begin(); i < steps_.count(); ++i) {
      const OperationView& op = steps_[i].act.op;
      if (op.place != op_.place || family_of(op.kind) != OpFamily::kSem) continue;
      if (!known) state.value = value_before(op);
      known = true;
      if (past_.has(i)) (void)apply(state, op);
    }
    if (!known) {  // nobody but this one: pending, so there is nothing to take
      state.value = 0;
    }
    follow(ask(state, op_), kNoStep);
  }

  void barrier() {
    BarrierState state;
    bool arrived = false;  // the thread's own last arrival was seen
    std::uint32_t round = 0;
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.place != op_.place || op.kind != OpKind::kBarrierArrive || failed(op)) return;
      state.needed = static_cast<std::uint32_t>(steps_[i].operand);
      if (i == next_.previous) {
        arrived = true;
        round = state.round;
      }
      (void)apply(state, op);
    });
    if (op_.kind == OpKind::kBarrierLeave) {
      if (arrived && can_leave(state, round)) enable();
      return;
    }
    enable();
    if (op_.kind != OpKind::kBarrierArrive || next_.operand == 0) return;
    state.needed = static_cast<std::uint32_t>(next_.operand);
    result_.act.op.value = ask(state, op_).value;
  }

  void once() {
    OnceState state;
    std::uint32_t runner = kNoStep;
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.place != op_.place || family_of(op.kind) != OpFamily::kOnce || failed(op)) return;
      (void)apply(state, op);
      if (op.kind == OpKind::kOnceBegin && op.value == kOnceRuns) runner = i;
    });
    const Answer answer = ask(state, op_);
    if (!answer.enabled) return block(runner);
    enable();
    if (op_.kind == OpKind::kOnceBegin) result_.act.op.value = answer.value;
  }

  // Descriptors, signals, cancellation: what they need is in the kernel, or depends on which operation a handler
  // interrupts. They are tried.
  void outside() {
    if (is_conditional(op_.kind) || op_.kind == OpKind::kSignalHandle || op_.kind == OpKind::kCancelled) {
      result_ = guess(next_);
      return;
    }
    enable();
    leave_open();
  }

  void futex() {
    if (op_.kind == OpKind::kFutexWait) {
      const std::uint64_t expected = next_.operand;
      std::uint64_t now = 0;
      if (!value(op_.place, kFutexWordBytes, now)) return wait_open();
      return enable(now != expected);
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

  void process_exit() {
    std::uint32_t other = kNoStep;
    replay([&](std::uint32_t i, const OperationView& op) {
      if (op.kind == OpKind::kExit && op.thread != op_.thread && (op.bits & kOrderMask) == kExitByHandlers) other = i;
    });
    if (can_exit(op_.bits & kOrderMask, other != kNoStep)) {
      enable();
    } else {
      result_.blocker = other;
    }
  }

  void wait_open() {
    enable();
    leave_open();
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

Prediction predict_before(Selection& past, std::uint32_t earlier, const Step& next) {
  past.cut(earlier);
  Prediction prediction = predict(past, next);
  while (prediction.enabled == Enabled::kNo && prediction.blocker != kNoStep && prediction.blocker >= earlier) {
    past.remove(prediction.blocker);
    prediction = predict(past, next);
  }
  // A signal or a cancellation ends waits that nothing else would end.
  if (prediction.enabled == Enabled::kNo && past.steps().has_mail(next.act.op.thread)) {
    past.cut(earlier);
    return Predictor::guess(next);
  }
  return prediction;
}

bool came_out_otherwise(const Act& meant, const Act& done) {
  if (meant.op.kind != done.op.kind || ((meant.op.bits ^ done.op.bits) & kFailed) != 0) return true;
  const OpKind kind = done.op.kind;
  const bool tells = kind == OpKind::kOnceBegin || kind == OpKind::kBarrierArrive;
  return tells && meant.op.value != done.op.value;
}

Unmodelled find_disagreement(Selection& past) {
  constexpr std::uint32_t kLongest = 1024;  // each step asks for all before it
  const Steps& steps = past.steps();
  for (std::uint32_t i = 0; i < steps.count() && steps.count() <= kLongest; ++i) {
    const OperationView& op = steps[i].act.op;
    if (!is_conditional(op.kind) && !is_memory_access(op.kind) && op_class(op.kind) != OpClass::kSync) continue;
    past.keep_before(i);
    const Prediction predicted = predict(past, steps[i]);
    if (predicted.enabled == Enabled::kMaybe || predicted.open) continue;
    if (predicted.enabled == Enabled::kNo && steps.has_mail(op.thread)) continue;
    if (predicted.enabled == Enabled::kNo || came_out_otherwise(predicted.act, steps[i].act)) {
      return {op.kind, op.location};
    }
  }
  return {};
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
