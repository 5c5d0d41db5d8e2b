// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/passing_time.h"

#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler.h"

namespace ravel::rt {

PassingTime g_passing;

namespace {

constexpr std::uint64_t kPointCost = 10'000;  // nanoseconds: a second of sleep is a hundred thousand points
constexpr std::uint64_t kLeastPoints = 20;    // of the shortest sleep: who polls between sleeps lets others work
constexpr std::uint64_t kMostHeldBack = 20'000;
constexpr std::uint64_t kLookAgain = 100;

std::uint64_t next_wake_up = kNever;  // what `due` stands for
std::uint64_t counted = 0;            // points that have cost their time already
std::uint64_t held_since = kNever;    // point from which on the deadline of a wait holds it back

void wait_for(std::uint64_t when) {
  const std::uint64_t now = virtual_now();
  const bool at_length = g.block->plan.timeouts == TimeoutMode::kPassing || when == g_next_timer;
  const std::uint64_t points = when > now && at_length ? (when - now) / kPointCost : 0;
  next_wake_up = when;
  held_since = kNever;
  counted = g_passing.points;
  g_passing.due = when == kNever ? kNever : g_passing.points + (points < kLeastPoints ? kLeastPoints : points);
}

struct Deadlines {
  std::uint64_t wake_up = kNever;  // the earliest that is still to come
  std::uint64_t wait = kNever;
};

Deadlines find_deadlines() {
  Deadlines found;
  if (g_next_timer > virtual_now()) found.wake_up = g_next_timer;
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Pending& pending = list[i]->pending;
    if (pending.deadline == kNever || pending.deadline <= virtual_now()) continue;
    std::uint64_t& earliest = pending.kind == OpKind::kWakeUp ? found.wake_up : found.wait;
    if (pending.deadline < earliest) earliest = pending.deadline;
  }
  return found;
}

// A wait that should have timed out by then has not: others can still run.
bool is_held_back(const Deadlines& found) {
  if (found.wait >= found.wake_up) return false;
  if (held_since == kNever) held_since = g_passing.points;
  return g_passing.points - held_since < kMostHeldBack;
}

}  // namespace

void begin_passing_time() {
  g_passing = {};
  wait_for(kNever);
}

void expect_wake_up(std::uint64_t when) {
  const TimeoutMode mode = g.block->plan.timeouts;
  if ((mode != TimeoutMode::kPassing && mode != TimeoutMode::kShortSleeps) || when == kNever) return;
  const bool over = next_wake_up <= virtual_now();  // nobody could run, so time has gone there at once
  if (when >= next_wake_up && !over) return;
  catch_up_time();
  wait_for(when);
}

bool catch_up_time() {
  if (!time_passes()) return false;
  const std::uint64_t then = virtual_now() + (g_passing.points - counted) * kPointCost;
  counted = g_passing.points;
  advance_clock_to(then < next_wake_up ? then : next_wake_up);
  return virtual_now() < next_wake_up;
}

void pass_time() {
  const Deadlines found = find_deadlines();
  if (found.wake_up != next_wake_up) return wait_for(found.wake_up);  // that one did not have to wait so long
  if (is_held_back(found)) {
    g_passing.due = g_passing.points + kLookAgain;
    return;
  }
  advance_clock_to(found.wake_up);
  ++g.advances;
  wait_for(find_deadlines().wake_up);
  changed();
}

}  // namespace ravel::rt
