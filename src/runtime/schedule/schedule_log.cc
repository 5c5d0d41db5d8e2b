// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/schedule_log.h"

#include "base/invariant.h"
#include "base/random.h"
#include "model/turn_prefix.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/state/state.h"

namespace ravel::rt {

bool g_following_plan = false;

namespace {
std::uint32_t segment = 0;  // position in the prefix
std::uint32_t used = 0;     // choices of that segment already taken
TurnPrefix turns;           // the same for plans by turns
std::uint64_t data_seed = 0;
std::uint64_t data_count = 0;
std::uint64_t fault_chances = 0;  // so far
std::uint64_t next_fault = 0;     // happens at this one

// Nobody knows how many chances an execution has: all orders of magnitude up to 4096 are equally likely.
std::uint64_t draw_fault(std::uint64_t from) {
  constexpr std::uint64_t kSalt = 0x6661756c74ull;
  constexpr unsigned kMagnitudes = 12;
  Random random(mix64(data_seed ^ kSalt) ^ mix64(from));
  const auto magnitude = static_cast<unsigned>(random.below(kMagnitudes));
  return from + random.below(std::uint64_t{1} << magnitude);
}
}  // namespace

void begin_schedule_log() {
  INVARIANT(g.block->plan.prefix_segments <= kMaxSegments, "a plan that is longer is refused before it gets here");
  segment = 0;
  used = 0;
  turns.begin(g.block->prefix, g.block->plan.prefix_kind == PrefixKind::kTurns ? g.block->plan.prefix_segments : 0);
  g_following_plan = g.block->plan.prefix_segments != 0;
  data_seed = g.block->plan.data_seed != 0 ? g.block->plan.data_seed : g.block->plan.policy.seed;
  data_count = 0;
  fault_chances = 0;
}

bool fault_is_due() {
  if (fault_chances == 0) next_fault = draw_fault(0);  // most executions have no chance
  const std::uint64_t chance = fault_chances++;
  if (data_seed == 0 || chance != next_fault) return false;
  next_fault = draw_fault(fault_chances);
  return true;
}

bool take_planned_choice(std::uint32_t& choice) {
  const SharedBlock& block = *g.block;
  while (segment < block.plan.prefix_segments && used >= block.prefix[segment].count) {
    ++segment;
    used = 0;
  }
  if (segment >= block.plan.prefix_segments) {
    g_following_plan = false;
    return false;
  }
  ++used;
  choice = block.prefix[segment].thread;
  return true;
}

bool follows_turns() {
  return g_following_plan && g.block->plan.prefix_kind == PrefixKind::kTurns;
}

ThreadIndex thread_in_turn(bool (*can_run)(ThreadIndex)) {
  const ThreadIndex wish = turns.wish(
      // What the table says of threads that do not exist yet is of an earlier execution.
      [](ThreadIndex thread) { return thread < g.block->result.threads ? g.block->threads[thread].steps : 0; },
      can_run);
  g_following_plan = !turns.used_up();
  return wish;
}

bool take_planned_alternative(std::uint32_t n, std::uint32_t& alternative) {
  return turns.next_data(n, alternative);
}

bool takes_steps() {
  return g_following_plan && g.block->plan.prefix_kind == PrefixKind::kSteps;
}

void put_back_choice() {
  --used;
}

void pass_step(std::uint32_t thread) {
  std::uint32_t meant = 0;
  if (next_planned_choice(meant) && meant != thread) diverged(meant);
}

void diverged(std::uint32_t expected) {
  ExecutionResult& result = g.block->result;
  if (result.expected_thread == 0 && result.diverged_at == 0) {
    result.diverged_at = result.decisions + 1;
    result.expected_thread = expected;
  }
  g_following_plan = false;
  if (g.block->plan.on_divergence == OnDivergence::kStop) finish_diverged();
}

std::uint32_t random_alternative(std::uint32_t n) {
  // The first alternative without a seed, so that run-on stays the plainest schedule.
  if (data_seed == 0) return 0;
  Random random(mix64(data_seed) ^ mix64(++data_count));
  return static_cast<std::uint32_t>(random.below(n));
}

std::uint32_t planned_choices_left() {
  if (!g_following_plan) return 0;
  const SharedBlock& block = *g.block;
  std::uint64_t left = 0;
  for (std::uint32_t i = segment; i < block.plan.prefix_segments; ++i) left += block.prefix[i].count;
  left -= segment < block.plan.prefix_segments ? used : 0;
  return left > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(left);
}

}  // namespace ravel::rt
