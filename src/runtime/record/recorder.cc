// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/recorder.h"

#include <linux/futex.h>
#include <time.h>

#include "base/invariant.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/points.h"
#include "runtime/record/watch.h"
#include "semantics/effects.h"

namespace ravel::rt {

Recorder g_recorder;
OpenWrite g_open_write;
std::uint32_t g_same_thread_events = 0;
bool g_watch = false;
bool g_tail = false;
std::uint64_t g_callouts = 0;

namespace {

constexpr std::uint64_t kLongestWatch = 60'000;  // longer than any policy lets a thread run alone (kFairPoints)

void limit_steps(std::uint64_t limit) {
  g_recorder.step_limit = limit;
  g_recorder.watch_from = limit - (limit / 4 < kLongestWatch ? limit / 4 : kLongestWatch);
  ++g_recorder.limits;
}

// Steps that are no scheduling points do not count towards the limit.
void forgive_steps(std::uint64_t steps) {
  constexpr std::uint64_t kFarthest = ~std::uint64_t{0} >> 1;
  if (g_recorder.step_limit > kFarthest) return;
  g_recorder.step_limit += steps;
  g_recorder.watch_from += steps;
}

// Plain accesses that were recorded though nothing was decided there. Counted afterwards, where it costs nothing: the
// events are still in the ring.
void forgive_plain_accesses() {
  const std::uint64_t written = g_recorder.written;
  std::uint64_t at = g_recorder.sorted;
  if (written - at > kRingEvents) at = written - kRingEvents;
  std::uint64_t plain = 0;
  for (; at < written; ++at) {
    const Event& event = g.block->ring[at & (kRingEvents - 1)];
    plain += op_class(event.kind) == OpClass::kPlain && !is_plain_point(event.location);
  }
  g_recorder.sorted = written;
  forgive_steps(plain);
}

std::uint64_t real_ms() {
  timespec now = {};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

// Of an open-ended execution. In the window before the limit it is asked at each event: not often enough to matter.
bool is_out_of_time() {
  if (g.block->control.stop.load(std::memory_order_relaxed) != 0) return true;
  return real_ms() - g_recorder.started_ms > g.block->campaign.open_ms;
}

constexpr std::uint64_t kMostRestarts = 16;  // a program that always claims progress still ends

// Until there is room for one more event. Yields the number of events that fit in all.
std::uint64_t wait_for_room() {
  SharedBlock& block = *g.block;
  const std::uint64_t written = g_recorder.written;
  for (;;) {
    const std::uint64_t consumed = block.ring_consumed.load(std::memory_order_acquire);
    INVARIANT(written - consumed <= kRingEvents, "no event is written over before the worker has taken it");
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

// No later than with the event that is one too many; while the execution is watched, with each.
void check_in_time() {
  const bool watched = steps_so_far() >= g_recorder.watch_from;
  const std::uint64_t limit = watched ? g_recorder.step_limit : g_recorder.watch_from;
  const std::uint64_t events = limit < g_recorder.unrecorded || watched ? 0 : limit - g_recorder.unrecorded;
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
  forgive_plain_accesses();
  if (steps_so_far() > g_recorder.step_limit) {
    step_limit_reached();
  } else if (steps_so_far() >= g_recorder.watch_from) {
    near_step_limit();
  }
  if (g.block->plan.open_ended != 0 && is_out_of_time()) finish_cut();
  if (g.block->plan.stop_at != 0 && g_recorder.written == g.block->plan.stop_at) stop_for_debugger();
  look_at_stamps();
  g_recorder.check_after = wait_for_room();
  const std::uint64_t stop_at = g.block->plan.stop_at;  // the debugger may have set another
  if (stop_at > g_recorder.written && stop_at < g_recorder.check_after) g_recorder.check_after = stop_at;
  check_in_time();
}

void restart_step_limit() {
  const std::uint64_t limit = g.block->plan.max_steps;
  const std::uint64_t steps = steps_so_far();
  if (steps / kMostRestarts < limit) limit_steps(steps + limit);
}

bool extend_step_limit() {
  PlanSpec& plan = g.block->plan;
  if (plan.open_ended == 0 || is_out_of_time()) return false;
  plan.max_steps = 2 * g_recorder.step_limit;  // where it will have been, should the execution be repeated
  limit_steps(plan.max_steps);
  return true;
}

void begin_recorder() {
  g_recorder = {};
  limit_steps(g.block->plan.max_steps);
  if (g.block->plan.open_ended != 0) g_recorder.started_ms = real_ms();
  g_open_write = {};
}

void count_quiet_accesses() {
  std::uint32_t quiet = g_filter.overdue ? kQuietAccesses : 0;
  g_filter.overdue = false;
  // By words: most of the counters have counted nothing.
  constexpr std::size_t kTogether = sizeof(std::uint64_t);
  static_assert(kQuietCounters % kTogether == 0);
  for (std::size_t at = 0; at < kQuietCounters; at += kTogether) {
    std::uint64_t counts = 0;
    __builtin_memcpy(&counts, g_filter.quiet + at, kTogether);
    if (counts == 0) continue;
    for (; counts != 0; counts >>= 8) quiet += counts & 0xff;
    __builtin_memset(g_filter.quiet + at, 0, kTogether);
  }
  g_same_thread_events += quiet;
  forgive_steps(quiet);
  count_unrecorded(quiet);
}

void step_limit_reached() {
  finish_step_limit();
}

void forget_plain_write() {
  g_open_write.event = nullptr;
}

namespace {

// Synchronisation and the life of threads are decided at points. What is left is part of the step before it: objects
// that begin, what the program says about itself, and what happens to a thread (a handler runs, it acts on its
// cancellation, a timer starts a thread, a signal becomes readable from a descriptor).
bool needs_point(OpKind kind) {
  const OpClass cls = op_class(kind);
  if (cls != OpClass::kSync && cls != OpClass::kLifecycle) return false;
  switch (kind) {
    case OpKind::kMutexInit:
    case OpKind::kCondInit:
    case OpKind::kRwInit:
    case OpKind::kSemInit:
    case OpKind::kBarrierInit:
    case OpKind::kSignalHandle:
    case OpKind::kCancelled:
    case OpKind::kThreadCreate:
    case OpKind::kIoWrite:
      return false;
    default:
      return true;
  }
}

void write_event(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
                 std::uint64_t value) {
  fill_in_plain_write();
  VirtualThread& self = *g.current;
  const Place place = address != 0 || size != 0 ? place_of_address(address) : Place{};
  if (kind == OpKind::kFutexWait) {
    self.spin.forget();
  } else if (ends_spin(kind, bits)) {
    self.spin.progress();
  }
  append_event(self, kind, bits, size, place, location, value);
  if (address != 0) forget_accesses(address, size);
  if (kind != OpKind::kHeapFree) begin_stretch(self);  // a free orders nothing
}

}  // namespace

void record(OpKind kind, std::uint8_t bits, std::uint16_t size, std::uintptr_t address, LocationId location,
            std::uint64_t value) {
  INVARIANT(!needs_point(kind) || g.live == 1,
            "every synchronisation or lifecycle event follows a scheduling point of its thread");
  write_event(kind, bits, size, address, location, value);
}

// Kinds whose operand is of their own; for all others it is when and whether they could time out.
bool has_own_operand(OpKind kind) {
  return op_class(kind) == OpClass::kPlain || op_class(kind) == OpClass::kAtomic || kind == OpKind::kCondSignal ||
         kind == OpKind::kBarrierArrive || kind == OpKind::kChoice || kind == OpKind::kFutexWait ||
         kind == OpKind::kDeliver || kind == OpKind::kSelect || kind == OpKind::kPhaseArrive;
}

// Of a time-out the moment at which it came: until its mutex is free, a thread may wait through others.
std::uint64_t time_operand(const VirtualThread& thread, std::uint8_t bits) {
  const bool gave_up = (bits & kTimeout) != 0;
  const bool timed = thread.pending.deadline != kNever || gave_up;
  const bool over = gave_up && thread.wake == WakeReason::kTimeout;
  return std::uint64_t{over ? thread.timed_out_at : g.advances} << 1 | (timed ? 1 : 0);
}

void record_pending(std::uint8_t extra_bits, std::uint64_t value) {
  VirtualThread& self = *g.current;
  const Pending& p = self.pending;
  INVARIANT(self.at_point, "an event of a pending operation follows its scheduling point");
  self.at_point = false;
  if (__builtin_expect(g.block->plan.record_steps != 0, 0)) {
    if (!has_own_operand(p.kind)) set_operand(time_operand(self, extra_bits));
    if (g_recorder.operand == kNoPoint) g_recorder.operand = 0;
  }
  if (self.spun) {
    self.spun = false;
    extra_bits |= kHadToWait;
  }
  const auto bits = static_cast<std::uint8_t>(p.bits | extra_bits | (self.had_to_wait ? kHadToWait : 0) |
                                              (self.chosen ? kChosen : 0));
  write_event(p.kind, bits, p.size, p.address, p.location, value);
}

}  // namespace ravel::rt
