// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes and reader-writer locks.
#include "explore/predictor.h"
#include "semantics/rwlock.h"

namespace ravel {

// The mutex behind the selected steps, and the step since which it is held.
RobustState Predictor::mutex_at(std::uint64_t place, std::uint32_t& since) const {
  RobustState state;
  since = kNoStep;
  replay(Steps::spot_of_memory(place), [&](std::uint32_t i, const OperationView& op) {
    const bool of_wait = op.kind == OpKind::kCondWait || op.kind == OpKind::kCondReacquire;
    if ((of_wait ? op.value : op.place) != place || (!of_wait && family_of(op.kind) != OpFamily::kMutex)) return;
    const ThreadIndex before = owner(state.mutex);
    (void)apply(state, op);
    const ThreadIndex after = owner(state.mutex);
    if (after != before) since = after == kNoThread ? kNoStep : i;
  });
  return state;
}

void Predictor::mutex() {
  std::uint32_t since = kNoStep;
  const RobustState state = mutex_at(op_.place, since);
  // Whether a mutex is recursive shows when it was locked again, and this one was not.
  if (next_.pending && owner(state.mutex) == op_.thread) {
    result_ = guess(next_);
    return;
  }
  follow(ask(state, op_), since);
}

void Predictor::rwlock() {
  RwState state;
  std::uint32_t holder = kNoStep;  // who came in last and is still inside
  std::uint32_t waiting = 0;       // writers that keep readers outside
  bool queued = false;             // it is one of them
  replay(Steps::spot_of(op_.place), [&](std::uint32_t i, const OperationView& op) {
    if (op.place != op_.place || family_of(op.kind) != OpFamily::kRw) return;
    (void)apply(state, op);
    if (!did_fail(op) && op.kind != OpKind::kRwUnlock && !given_back(i)) holder = i;
    if ((op.value & kQueued) != 0) {
      ++waiting;
      queued = queued || op.thread == op_.thread;
    } else if (op.kind == OpKind::kRwWriteLock && waits_in_queue(i)) {
      --waiting;
      queued = queued && op.thread != op_.thread;
    }
  });
  if (!queued && comes_to_wait()) return queue_writer(can_write_lock(state, op_.thread));
  Answer answer = ask(state, op_);
  const bool kept_out = (op_.value & kPrefersWriters) != 0 && !passes_writers(state, waiting);
  if (op_.kind == OpKind::kRwReadLock && kept_out && state.writer_plus_one == 0) answer = {false};
  if (op_.kind == OpKind::kRwTryReadLock && kept_out) answer.fails = true;
  if (op_.kind == OpKind::kRwUnlock) result_.act.op.value = answer.value | (op_.value & kPrefersWriters);
  follow(answer, holder);
}

// The step is the end of a wait that began with its thread's step before it.
bool Predictor::waits_in_queue(std::uint32_t step) const {
  const std::uint32_t before = steps_[step].previous;
  if (before == kNoStep) return false;
  const OperationView& op = steps_[before].act.op;
  return op.kind == OpKind::kRwTryWriteLock && op.place == steps_[step].act.op.place && (op.value & kQueued) != 0;
}

// The first step of a write lock that prefers writers: it takes the lock or comes to wait for it.
bool Predictor::comes_to_wait() const {
  if (op_.kind == OpKind::kRwTryWriteLock) return (op_.value & kQueued) != 0;
  return op_.kind == OpKind::kRwWriteLock && (op_.value & kPrefersWriters) != 0;
}

void Predictor::queue_writer(bool free) {
  enable(!free);
  result_.act.op.kind = free ? OpKind::kRwWriteLock : OpKind::kRwTryWriteLock;
  result_.act.op.value = free ? kPrefersWriters : kQueued;
}

// The n-th time a thread takes the lock is undone by the n-th time it gives it back, counted from the end.
bool Predictor::given_back(std::uint32_t step) const {
  const OperationView& taken = steps_[step].act.op;
  int depth = 1;
  for (std::uint32_t i = step + 1; i < steps_.count(); ++i) {
    const OperationView& op = steps_[i].act.op;
    if (!past_.has(i) || op.place != taken.place || op.thread != taken.thread || did_fail(op)) continue;
    if (op.kind == OpKind::kRwUnlock) {
      if (--depth == 0) return true;
    } else if (op.kind >= OpKind::kRwReadLock && op.kind <= OpKind::kRwTryWriteLock) {
      ++depth;
    }
  }
  return false;
}

}  // namespace ravel
