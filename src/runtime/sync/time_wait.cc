// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/time_wait.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/passing_time.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/sync/sync_operation.h"

namespace ravel::rt {

namespace {
constexpr std::uint64_t kTick = 100;    // ns a look at the clock takes
constexpr std::uint64_t kPatience = 3;  // looks in a row before the thread is taken to wait for time to pass
constexpr std::uint64_t kLongestNap = 1'000'000;
}  // namespace

bool sleep_until(std::uint64_t deadline, LocationId location) {
  if (fault_happens(kFaultEintr, location)) return false;
  const std::uint64_t now = virtual_now();  // as of when the deadline was computed
  Pending falling_asleep;
  falling_asleep.kind = OpKind::kSleep;
  falling_asleep.location = location;
  falling_asleep.value = deadline > now ? deadline - now : 0;
  point(falling_asleep);
  record_pending(0, falling_asleep.value);
  Pending sleeping;
  sleeping.kind = OpKind::kWakeUp;
  sleeping.location = location;
  sleeping.deadline = deadline;
  sleeping.enabled = [](const VirtualThread& thread) {
    return thread.wake != WakeReason::kNormal || virtual_now() >= thread.pending.deadline;
  };
  sleeping.interruption = Interruption::kAlways;
  sleeping.cancellable = true;
  expect_wake_up(deadline);
  point(sleeping);
  const bool interrupted = g.current->wake == WakeReason::kInterrupted;
  if (!interrupted) advance_clock_to(deadline);
  record_pending(interrupted ? kFailed : 0, 0);
  act_on_cancellation();
  return !interrupted;
}

void yield_now(LocationId location) {
  if (!others_may_run()) return;
  if (g.current->spin.stuttering()) {
    // Part of a spin whose re-reads are skipped (std::atomic::wait yields before it blocks): not a point either.
    count_step();
    return;
  }
  Pending pending;
  pending.kind = OpKind::kYield;
  pending.location = location;
  point(pending);
  record_pending(0, 0);
}

std::uint64_t read_clock(LocationId location) {
  VirtualThread& self = *g.current;
  if (g.live > 1 && ++self.clock_reads > kPatience) {
    // Waiting for time to pass: a nap that doubles, so that any deadline is reached in few looks.
    const std::uint64_t looks = self.clock_reads;
    const std::uint64_t nap = looks - kPatience < 14 ? kTick << (looks - kPatience) : kLongestNap;
    Pending pending;
    pending.kind = OpKind::kWakeUp;
    pending.location = location;
    pending.deadline = virtual_now() + nap;
    pending.silent = true;
    pending.enabled = [](const VirtualThread& thread) {
      return thread.wake == WakeReason::kTimeout || virtual_now() >= thread.pending.deadline;
    };
    expect_wake_up(pending.deadline);
    point(pending);
    advance_clock_to(pending.deadline);
    count_step();
    self.clock_reads = looks;
  }
  if (catch_up_time()) g.block->result.clock_beside_sleep = 1;
  advance_clock_by(kTick);
  return virtual_now();
}

}  // namespace ravel::rt
