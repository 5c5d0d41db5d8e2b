// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks, semaphores, barriers, one-time initialisation. A condition variable orders nothing: its mutex does. A futex
// orders nothing either: the atomics around it do.
#include "causality/causality.h"
#include "semantics/barrier.h"
#include "semantics/effects.h"

namespace ravel {

namespace {
constexpr std::uint64_t kAnyChannel = ~std::uint64_t{0};  // no object has this number
}

void Causality::acquire(ThreadState& t, std::uint64_t key) {
  if (const SyncPlace* p = place(key)) clocks_.join(t.clock, p->released);
}

void Causality::release(ThreadState& t, std::uint64_t key) {
  SyncPlace* p = place(key);
  if (p == nullptr) return;
  clocks_.assign(p->released, t.clock);
  t.released = true;
}

// Beside what others have released there.
void Causality::add_release(ThreadState& t, std::uint64_t key) {
  SyncPlace* p = place(key);
  if (p == nullptr) return;
  clocks_.join(p->released, t.clock);
  t.released = true;
}

void Causality::read_write_lock(ThreadState& t, const Event& e) {
  SyncPlace* p = place(place_of(e));
  if (p == nullptr) return;
  switch (e.kind) {
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
      clocks_.join(t.clock, p->released);
      break;
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      clocks_.join(t.clock, p->released);
      clocks_.join(t.clock, p->shared);
      clocks_.drop(p->shared);
      p->holder = e.thread;
      break;
    default:  // unlock: readers are ordered before later writers only
      if (p->holder == e.thread) {
        p->holder = kNoThread;
        clocks_.assign(p->released, t.clock);
      } else {
        clocks_.join(p->shared, t.clock);
      }
      t.released = true;
      break;
  }
}

// The arrivals of a round are linked; the one that fills it gives each of them the round's clock, so that slow leavers
// do not learn from arrivals of the next round.
void Causality::barrier(ThreadState& t, const Event& e) {
  if (e.kind == OpKind::kBarrierLeave) {
    clocks_.join(t.clock, t.barrier);
    clocks_.drop(t.barrier);
    return;
  }
  SyncPlace* p = place(place_of(e));
  if (p == nullptr) return;
  clocks_.join(p->shared, t.clock);
  t.next_in_round = p->holder;
  p->holder = e.thread;
  t.released = true;
  if (e.value != kFilledRound) return;
  for (ThreadIndex i = p->holder; i != kNoThread;) {
    ThreadState& arrived = thread(i);
    clocks_.assign(arrived.barrier, p->shared);
    i = arrived.next_in_round;
    arrived.next_in_round = kNoThread;
  }
  p->holder = kNoThread;
  clocks_.drop(p->shared);
}

void Causality::synchronise(ThreadState& t, const Event& e) {
  const std::uint64_t key = place_of(e);
  switch (e.kind) {
    case OpKind::kMutexInit:
    case OpKind::kRwInit:
    case OpKind::kSemInit:
    case OpKind::kBarrierInit:
      forget(key);
      break;
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
      if (!e.failed() && (e.bits & kTimeout) == 0) acquire(t, key);
      break;
    case OpKind::kMutexUnlock:
      if (!e.failed()) release(t, key);
      break;
    case OpKind::kCondWait:
      t.waiting_mutex = e.value;
      release(t, e.value);
      break;
    case OpKind::kCondReacquire:  // the mutex is held again even after a time-out
      acquire(t, t.waiting_mutex);
      break;
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
    case OpKind::kRwUnlock:
      if (!e.failed() && (e.bits & kTimeout) == 0) read_write_lock(t, e);
      break;
    case OpKind::kSemPost:  // a wait takes its unit from all posts before it
      if (!e.failed()) add_release(t, key);
      break;
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierLeave:
      barrier(t, e);
      break;
    case OpKind::kOnceBegin:  // also an attempt after one that threw is ordered behind it
      acquire(t, key);
      break;
    case OpKind::kOnceEnd:
    case OpKind::kOnceAbort:
      release(t, key);
      break;
    case OpKind::kIoRead:
      if (!e.failed() && is_acquire(e.order())) acquire(t, key);
      break;
    case OpKind::kIoWait:  // one clock for all that went into any channel
      acquire(t, kAnyChannel);
      break;
    case OpKind::kIoWrite:
    case OpKind::kIoClose:
      if (e.failed() || !is_release(e.order())) break;
      add_release(t, key);
      add_release(t, kAnyChannel);
      if (is_acquire(e.order())) acquire(t, key);
      break;
    case OpKind::kSignalSend:
    case OpKind::kCancel:
      add_release(t, key);
      break;
    case OpKind::kSignalHandle:
    case OpKind::kSignalWait:
    case OpKind::kCancelled:
      if (!e.failed()) acquire(t, key);
      break;
    default:
      break;
  }
}

}  // namespace ravel
