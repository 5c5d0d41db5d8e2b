// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/recorder.h"

#include <linux/futex.h>

#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/watch.h"

namespace ravel::rt {

Recorder g_recorder;
OpenWrite g_open_write;
std::uint32_t g_same_thread_events = 0;
bool g_watch = false;
bool g_tail = false;
std::uint64_t g_callouts = 0;

namespace {

constexpr std::uint64_t kMostRestarts = 16;  // a program that always claims progress still ends

// Until there is room for one more event. Yields the number of events that fit in all.
std::uint64_t wait_for_room() {
  SharedBlock& block = *g.block;
  const std::uint64_t written = g_recorder.written;
  for (;;) {
    const std::uint64_t consumed = block.ring_consumed.load(std::memory_order_acquire);
    if (written - consumed < kRingEvents) return consumed + kRingEvents;
    if (g.direct || g.preparing) {
      block.ring_consumed.store(written, std::memory_order_release);
      continue;
    }
    if (g_home.open) {
      g_home.make_room(g_home.argument);
      continue;
    }
    // The worker polls; it wakes us when it has made room. The low half of the counter is the futex word.
    raw_syscall(SYS_futex, reinterpret_cast<long>(&block.ring_consumed), FUTEX_WAIT,
                static_cast<long>(static_cast<std::uint32_t>(consumed)), 0);
  }
}

// Operations that others can see, or after which the thread need not do the same again: it does not spin.
bool makes_progress(OpKind kind, std::uint8_t bits) {
  if ((bits & kFailed) != 0) return false;
  const OpClass cls = op_class(kind);
  return cls == OpClass::kSync || cls == OpClass::kLifecycle || kind == OpKind::kSleep;
}

// No later than with the event that is one too many.
void check_in_time() {
  const std::uint64_t limit = g_recorder.step_limit;
  const std::uint64_t events = limit < g_recorder.unrecorded ? 0 : limit - g_recorder.unrecorded;
  if (events < g_recorder.check_after) g_recorder.check_after = events + 1;
}

}  // namespace

void count_unrecorded(std::uint64_t steps) {
  g_recorder.unrecorded += steps;
  g.block->result.steps.store(steps_so_far(), std::memory_order_relaxed);
  check_in_time();
}

// The end of the execution and the debugger come first: whoever waits for room may never get it.
void check_after_event() {
  if (steps_so_far() > g_recorder.step_limit) step_limit_reached();
  if (g.block->plan.stop_at != 0 && g_recorder.written == g.block->plan.stop_at) stop_for_debugger();
  g_recorder.check_after = wait_for_room();
  const std::uint64_t stop_at = g.block->plan.stop_at;  // the debugger may have set another
  if (stop_at > g_recorder.written && stop_at < g_recorder.check_after) g_recorder.check_after = stop_at;
  check_in_time();
}

void restart_step_limit() {
  const std::uint64_t limit = g.block->plan.max_steps;
  const std::uint64_t steps = steps_so_far();
  if (steps / kMostRestarts < limit) g_recorder.step_limit = steps + limit;
}

void begin_recorder() {
  g_recorder = {};
  g_recorder.step_limit = g.block->plan.max_steps;
  g_open_write = {};
}

void count_quiet_accesses() {
  std::uint32_t quiet = g_filter.overdue ? kQuietAccesses : 0;
  g_filter.overdue = false;
  for (std::uint8_t& count : g_filter.quiet) {
    quiet += count;
    count = 0;
  }
  g_same_thread_events += quiet;
  count_unrecorded(quiet);
}

void step_limit_reached() {
  finish_step_limit();
  fatal("the step limit did not end the execution");
}

void forget_plain_write() {
  g_open_write.event = nullptr;
}

void record(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
            std::uint64_t value) {
  fill_in_plain_write();
  VirtualThread& self = *g.current;
  const Place place = address != 0 || size != 0 ? place_of_address(address) : Place{};
  if (makes_progress(kind, bits)) self.spin.progress();
  append_event(self, kind, bits, size, place, location, value);
  if (address != 0) forget_accesses(address, size);
  begin_stretch(self);
}

// Kinds whose operand is of their own; for all others it is when and whether they could time out.
bool has_own_operand(OpKind kind) {
  return op_class(kind) == OpClass::kPlain || op_class(kind) == OpClass::kAtomic || kind == OpKind::kCondSignal ||
         kind == OpKind::kBarrierArrive || kind == OpKind::kChoice || kind == OpKind::kFutexWait;
}

std::uint64_t time_operand(const Pending& pending, std::uint8_t bits) {
  const bool timed = pending.deadline != kNever || (bits & kTimeout) != 0;
  return std::uint64_t{g.advances} << 1 | (timed ? 1 : 0);
}

void record_pending(std::uint8_t extra_bits, std::uint64_t value) {
  VirtualThread& self = *g.current;
  const Pending& p = self.pending;
  if (!has_own_operand(p.kind)) set_operand(time_operand(p, extra_bits));
  if (g_recorder.operand == kNoPoint) g_recorder.operand = 0;
  if (self.spun) {
    self.spun = false;
    extra_bits |= kHadToWait;
  }
  record(p.kind,
         static_cast<std::uint8_t>(p.bits | extra_bits | (self.had_to_wait ? kHadToWait : 0) |
                                   (self.chosen ? kChosen : 0)),
         p.size, p.address, p.location, value);
}

}  // namespace ravel::rt
