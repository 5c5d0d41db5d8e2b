// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What threads wait for each other at: condition variables, semaphores, barriers, one-time initialisation, futexes.
#include "explore/predictor.h"
#include "semantics/condvar.h"
#include "semantics/futex.h"
#include "semantics/phase.h"
#include "semantics/semaphore.h"

namespace ravel {

void Predictor::condvar() {
  if (op_.kind == OpKind::kCondReacquire) return reacquire();
  enable();
  if (op_.kind != OpKind::kCondSignal) return;
  std::uint32_t woken = kNoThread;
  result_.options = waiters_at(past_, op_.place, 0, &woken);
  result_.act.op.value = woken;
  if (result_.options > 1) result_.act.choice = 0;
}

void Predictor::reacquire() {
  CondWait wait{op_.thread, {}};
  replay(Steps::spot_of(op_.place), [&](std::uint32_t, const OperationView& op) {
    if (op.place == op_.place && family_of(op.kind) == OpFamily::kCond) (void)apply(wait, op);
  });
  const bool woken = wait.waiting == Waiting::kWoken && !timed_out_;
  const bool spurious = !woken && (op_.bits & kSpurious) != 0;
  const bool times_out = !woken && !spurious && gives_up();
  if (!ask(wait, op_, spurious || times_out, true).enabled) return;
  const RobustState state = mutex_at(op_.value, result_.blocker);
  if (!ask(wait, op_, spurious || times_out, owner(state.mutex) == kNoThread).enabled) return;
  enable();
  set(kTimeout, times_out);
  set(kSpurious, spurious);
}

void Predictor::semaphore() {
  // Every event carries the value behind it. Before the cut that is the value; the very first event tells where it
  // began.
  SemState state;
  bool known = false;
  steps_.index().forward(Steps::spot_of(op_.place), [&](std::uint32_t i) {
    const OperationView& op = steps_[i].act.op;
    if (op.place != op_.place || family_of(op.kind) != OpFamily::kSem) return;
    if (i < past_.begin()) {
      state.value = static_cast<std::uint32_t>(op.value);
    } else {
      if (!known) state.value = value_before(op);
      if (past_.has(i)) (void)apply(state, op);
    }
    known = true;
  });
  if (!known) state.value = 0;  // nobody but this one: pending, so there is nothing to take
  follow(ask(state, op_), kNoStep);
}

void Predictor::barrier() {
  BarrierState state;
  bool arrived = false;  // the thread's own last arrival was seen
  std::uint32_t round = 0;
  replay(Steps::spot_of(op_.place), [&](std::uint32_t i, const OperationView& op) {
    if (op.place != op_.place || op.kind != OpKind::kBarrierArrive || did_fail(op)) return;
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

void Predictor::phase() {
  PhaseState state;
  replay(Steps::spot_of(op_.place), [&](std::uint32_t i, const OperationView& op) {
    if (op.place != op_.place || op.kind != OpKind::kPhaseArrive) return;
    state.needed = static_cast<std::uint32_t>(steps_[i].operand);
    (void)apply(state, op);
  });
  if (op_.kind == OpKind::kPhaseArrive) {
    enable();
    if (next_.operand == 0) return;
    state.needed = static_cast<std::uint32_t>(next_.operand);
    result_.act.op.value = ask(state, op_).value;
    return;
  }
  const Answer answer = ask(state, op_);
  if (!answer.enabled) return;
  enable(answer.fails);
}

void Predictor::once() {
  OnceState state;
  std::uint32_t runner = kNoStep;
  replay(Steps::spot_of_memory(op_.place), [&](std::uint32_t i, const OperationView& op) {
    if (op.place != op_.place || family_of(op.kind) != OpFamily::kOnce || did_fail(op)) return;
    (void)apply(state, op);
    if (op.kind == OpKind::kOnceBegin && op.value == kOnceRuns) runner = i;
  });
  const Answer answer = ask(state, op_);
  if (!answer.enabled) return block(runner);
  enable();
  if (op_.kind == OpKind::kOnceBegin) result_.act.op.value = answer.value;
}

void Predictor::futex() {
  if (op_.kind == OpKind::kFutexWait) {
    std::uint64_t now = 0;
    if (value(op_.place, kFutexWordBytes, now)) {
      return enable(!futex_waits(static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(next_.operand)));
    }
    enable();
    return leave_open();
  }
  if (op_.kind != OpKind::kFutexResume) return enable();
  FutexWaiter waiter{op_.thread};
  replay(Steps::spot_of_memory(op_.place), [&](std::uint32_t, const OperationView& op) {
    if (op.place == op_.place && family_of(op.kind) == OpFamily::kFutex) (void)apply(waiter, op);
  });
  if (ask(waiter, op_, (op_.bits & kSpurious) != 0).enabled) {
    enable();
    set(kSpurious, (op_.bits & kSpurious) != 0);
  } else {
    block(kNoStep);
    set(kFailed, false);
  }
}

namespace {
std::uint32_t first_waiter_at(const Selection& past, std::uint64_t place, std::uint32_t* first) {
  const Steps& steps = past.steps();
  std::uint32_t since = kNoStep;
  *first = kNoThread;
  for (std::uint32_t column = 0; column < steps.columns(); ++column) {
    CondWait wait{steps.name_of_column(column), {}};
    std::uint32_t began = kNoStep;
    steps.index().forward(Steps::spot_of(place), [&](std::uint32_t i) {
      const OperationView& op = steps[i].act.op;
      if (!past.has(i) || op.place != place || family_of(op.kind) != OpFamily::kCond) return;
      (void)apply(wait, op);
      if (op.kind == OpKind::kCondWait && op.thread == wait.thread) began = i;
    });
    if (wait.waiting != Waiting::kWaits || began >= since) continue;
    since = began;
    *first = wait.thread;
  }
  return since == kNoStep ? 0 : 1;
}
}  // namespace

std::uint32_t waiters_at(const Selection& past, std::uint64_t place, std::uint32_t n, std::uint32_t* nth) {
  const Steps& steps = past.steps();
  if (steps.fifo_waiters()) return first_waiter_at(past, place, nth);
  std::uint32_t count = 0;
  *nth = kNoThread;
  for (std::uint32_t column = 0; column < steps.columns(); ++column) {
    CondWait wait{steps.name_of_column(column), {}};
    steps.index().forward(Steps::spot_of(place), [&](std::uint32_t i) {
      const OperationView& op = steps[i].act.op;
      if (past.has(i) && op.place == place && family_of(op.kind) == OpFamily::kCond) (void)apply(wait, op);
    });
    if (wait.waiting == Waiting::kWaits && count++ == n) *nth = wait.thread;
  }
  return count;
}

}  // namespace ravel
