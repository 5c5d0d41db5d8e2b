// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_barrier.h"

#include <errno.h>
#include <string.h>

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/barrier.h"

namespace ravel::rt {

namespace {
BarrierState& state_of(pthread_barrier_t* b) {
  return *reinterpret_cast<BarrierState*>(b);
}

// The round is full: who is in it may leave, even if the barrier is gone by then.
void release_round(const pthread_barrier_t* b) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  for (std::uint32_t i = 0; i < live; ++i) {
    VirtualThread& thread = *list[i];
    if (thread.waits_for == b && thread.pending.kind == OpKind::kBarrierLeave) thread.waiting = Waiting::kWoken;
  }
}
}  // namespace

int barrier_init(pthread_barrier_t* b, unsigned count, LocationId location) {
  if (count == 0) return EINVAL;
  memset(b, 0, sizeof *b);
  state_of(b).needed = count;
  record(OpKind::kBarrierInit, 0, 0, address_of(b), location, count);
  return 0;
}

int barrier_destroy(pthread_barrier_t* b, LocationId location) {
  point(operation(OpKind::kBarrierDestroy, b, location));
  const SyncResult result = destroy(state_of(b));
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("barrier", result, true, location);
  return 0;
}

int barrier_wait(pthread_barrier_t* b, LocationId location) {
  VirtualThread& self = *g.current;
  point(operation(OpKind::kBarrierArrive, b, location));
  const Arrival arrival = arrive(state_of(b));
  if (arrival.result != SyncResult::kOk) finish_misuse("barrier", SyncResult::kInvalid, false, location);
  set_operand(state_of(b).needed);
  record_pending(0, arrival.value);
  if (arrival.value == kFilledRound) release_round(b);
  changed();
  self.barrier_round = arrival.round;
  self.waits_for = b;
  self.waiting = arrival.value == kFilledRound ? Waiting::kWoken : Waiting::kWaits;

  Pending leaving = operation(OpKind::kBarrierLeave, b, location);
  leaving.enabled = [](const VirtualThread& thread) {
    return thread.waiting == Waiting::kWoken ||
           can_leave(state_of(reinterpret_cast<pthread_barrier_t*>(thread.pending.address)), thread.barrier_round);
  };
  point(leaving);
  self.waits_for = nullptr;
  self.waiting = Waiting::kOutside;
  record_pending(0, 0);
  return arrival.value == kFilledRound ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

}  // namespace ravel::rt
