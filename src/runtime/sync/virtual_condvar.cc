// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_condvar.h"

#include <errno.h>
#include <string.h>

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync_operation.h"
#include "runtime/sync/virtual_mutex.h"
#include "semantics/condvar.h"

namespace ravel::rt {

namespace {

CondState& state_of(pthread_cond_t* c) {
  return *reinterpret_cast<CondState*>(c);
}

bool waits_unwoken(const VirtualThread& thread, const pthread_cond_t* c) {
  return thread.waits_for == c && thread.waiting == Waiting::kWaits && thread.pending.kind == OpKind::kCondReacquire &&
         thread.wake == WakeReason::kNormal;
}

std::uint32_t count_waiters(const pthread_cond_t* c) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < live; ++i) count += waits_unwoken(*list[i], c) ? 1 : 0;
  return count;
}

// The place of the longest waiting among them.
std::uint32_t first_waiter(const pthread_cond_t* c) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  std::uint32_t first = 0;
  std::uint32_t number = 0;
  std::uint64_t since = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < live; ++i) {
    if (!waits_unwoken(*list[i], c)) continue;
    if (list[i]->waits_since < since) {
      since = list[i]->waits_since;
      first = number;
    }
    ++number;
  }
  return first;
}

// Wakes the n-th waiter by thread index; yields its index.
ThreadIndex wake_waiter(pthread_cond_t* c, std::uint32_t n) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  for (std::uint32_t i = 0; i < live; ++i) {
    if (!waits_unwoken(*list[i], c) || n-- != 0) continue;
    cond_wake(state_of(c), list[i]->waiting);
    return list[i]->index;
  }
  return kNoThread;
}

}  // namespace

int cond_init(pthread_cond_t* c, clockid_t clock, LocationId location) {
  memset(c, 0, sizeof *c);
  state_of(c).clock = static_cast<std::uint32_t>(clock);
  record(OpKind::kCondInit, 0, 0, address_of(c), location, 0);
  return 0;
}

int cond_destroy(pthread_cond_t* c, LocationId location) {
  point(operation(OpKind::kCondDestroy, c, location));
  const SyncResult result = destroy(state_of(c));
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("condition variable", result, true, location);
  return 0;
}

clockid_t cond_clock(const pthread_cond_t* c) {
  return static_cast<clockid_t>(reinterpret_cast<const CondState*>(c)->clock);
}

int cond_wait(pthread_cond_t* c, pthread_mutex_t* m, std::uint64_t deadline, LocationId location) {
  VirtualThread& self = *g.current;
  Pending release = operation(OpKind::kCondWait, c, location);
  release.value = address_of(m);
  point(release);
  const SyncResult result = cond_enter(state_of(c), self.waiting, address_of(m));
  if (result != SyncResult::kOk) finish_misuse("condition variable", result, false, location);
  unlock_for_wait(m, location);
  self.waits_for = c;
  self.waits_since = g_recorder.written;
  record_pending(0, packed(place_of_address(address_of(m))));

  Pending reacquire = operation(OpKind::kCondReacquire, c, location);
  reacquire.value = address_of(m);
  reacquire.deadline = deadline;
  reacquire.may_wake_spuriously = true;
  reacquire.interruption = Interruption::kAlways;  // then it is a spurious wake-up, which POSIX allows
  reacquire.cancellable = true;
  reacquire.enabled = [](const VirtualThread& thread) {
    return can_reacquire(thread.waiting, thread.wake != WakeReason::kNormal,
                         can_lock_mutex(reinterpret_cast<pthread_mutex_t*>(thread.pending.value), thread));
  };
  point(reacquire);
  std::uint8_t why = 0;
  // Once woken, it does not touch the object, which may be gone.
  if (!cond_leave(state_of(c), self.waiting)) why = self.wake == WakeReason::kTimeout ? kTimeout : kSpurious;
  self.waits_for = nullptr;
  lock_after_wait(m, location);
  record_pending(why, packed(place_of_address(address_of(m))));
  act_on_cancellation();
  return why == kTimeout ? ETIMEDOUT : 0;
}

int cond_signal(pthread_cond_t* c, LocationId location) {
  point(operation(OpKind::kCondSignal, c, location));
  if (is_destroyed(state_of(c))) finish_misuse("condition variable", SyncResult::kInvalid, false, location);
  const std::uint32_t waiters = count_waiters(c);
  const bool fifo = g.block->plan.waiters == WaiterMode::kFifo;
  const ThreadIndex woken = waiters == 0 ? kNoThread : wake_waiter(c, fifo ? first_waiter(c) : choose(waiters));
  set_operand(fifo && waiters != 0 ? 1 : waiters);
  record_pending(0, woken);
  if (woken != kNoThread) changed();
  return 0;
}

int cond_broadcast(pthread_cond_t* c, LocationId location) {
  point(operation(OpKind::kCondBroadcast, c, location));
  if (is_destroyed(state_of(c))) finish_misuse("condition variable", SyncResult::kInvalid, false, location);
  std::uint32_t woken = 0;
  while (wake_waiter(c, 0) != kNoThread) ++woken;
  record_pending(0, woken);
  if (woken != 0) changed();
  return 0;
}

}  // namespace ravel::rt
