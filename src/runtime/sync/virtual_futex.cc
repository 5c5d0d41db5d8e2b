// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_futex.h"

#include <errno.h>

#include "runtime/record/recorder.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/futex.h"

namespace ravel::rt {

namespace {

constexpr std::uint32_t kAnyBit = ~std::uint32_t{0};

bool waits_here(const VirtualThread& thread, const std::uint32_t* word, std::uint32_t bits) {
  return thread.waits_for == word && thread.pending.kind == OpKind::kFutexResume &&
         thread.wake == WakeReason::kNormal && futex_reaches(thread.waiting, thread.turn, bits);
}

// The one that has waited longest, as the kernel does.
VirtualThread* first_waiter(const std::uint32_t* word, std::uint32_t bits) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  VirtualThread* first = nullptr;
  for (std::uint32_t i = 0; i < live; ++i) {
    if (waits_here(*list[i], word, bits) && (first == nullptr || comes_first(list[i]->turn, first->turn)))
      first = list[i];
  }
  return first;
}

}  // namespace

long futex_wait(const FutexWait& call, LocationId location) {
  if (fault_happens(kFaultEintr, location)) return -EINTR;
  VirtualThread& self = *g.current;
  Pending waiting = operation(OpKind::kFutexWait, call.word, location);
  waiting.size = kFutexWordBytes;
  waiting.value = call.expected;
  point(waiting);
  set_operand(call.expected);
  if (!futex_waits(*call.word, call.expected)) {
    record_pending(kFailed, *call.word);
    return -EAGAIN;
  }
  self.waits_for = call.word;
  self.turn = {g.next_ticket++, call.bits};
  self.waiting = Waiting::kWaits;
  record_pending(0, call.expected);

  Pending resuming = operation(OpKind::kFutexResume, call.word, location);
  resuming.size = kFutexWordBytes;
  resuming.deadline = call.deadline;
  resuming.may_wake_spuriously = true;
  resuming.interruption = call.interruption;
  resuming.cancellable = call.cancellable;
  resuming.enabled = [](const VirtualThread& thread) {
    return can_resume(thread.waiting, thread.wake != WakeReason::kNormal);
  };
  point(resuming);
  std::uint8_t why = 0;
  if (self.waiting != Waiting::kWoken) why = self.wake == WakeReason::kTimeout ? kTimeout : kSpurious;
  self.waits_for = nullptr;
  self.waiting = Waiting::kOutside;
  record_pending(why, 0);
  if (self.wake == WakeReason::kInterrupted) {
    act_on_cancellation();
    return -EINTR;
  }
  return why == kTimeout ? -ETIMEDOUT : 0;
}

long futex_wake(std::uint32_t* word, std::int32_t count, std::uint32_t bits, LocationId location) {
  Pending waking = operation(bits == kAnyBit ? OpKind::kFutexWake : OpKind::kFutexRequeue, word, location);
  waking.size = kFutexWordBytes;
  point(waking);
  std::int32_t woken = 0;
  while (woken < (count < 1 ? 1 : count)) {
    VirtualThread* waiter = first_waiter(word, bits);
    if (waiter == nullptr) break;
    waiter->waiting = Waiting::kWoken;
    ++woken;
  }
  record_pending(0, static_cast<std::uint64_t>(woken));
  if (woken != 0) changed();
  return woken;
}

long futex_requeue(const FutexRequeue& call, LocationId location) {
  Pending waking = operation(OpKind::kFutexRequeue, call.from, location);
  waking.size = kFutexWordBytes;
  point(waking);
  if (call.compares && *call.from != call.expected) {
    record_pending(kFailed, 0);
    return -EAGAIN;
  }
  std::int32_t woken = 0;
  std::int32_t moved = 0;
  for (VirtualThread* waiter = nullptr; woken < call.wake && (waiter = first_waiter(call.from, kAnyBit)) != nullptr;
       ++woken) {
    waiter->waiting = Waiting::kWoken;
  }
  for (VirtualThread* waiter = nullptr;
       moved < call.move && call.to != call.from && (waiter = first_waiter(call.from, kAnyBit)) != nullptr; ++moved) {
    waiter->waits_for = call.to;
    waiter->pending.address = address_of(call.to);
    waiter->turn.ticket = g.next_ticket++;  // behind those who are there
  }
  record_pending(0, static_cast<std::uint64_t>(woken));
  if (woken + moved != 0) changed();
  return call.compares ? woken + moved : woken;
}

}  // namespace ravel::rt
