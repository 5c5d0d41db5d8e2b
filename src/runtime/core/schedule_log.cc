// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/schedule_log.h"

#include "base/random.h"
#include "runtime/core/finish.h"
#include "runtime/core/state.h"

namespace ravel::rt {

namespace {
std::uint32_t segment = 0;  // position in the prefix
std::uint32_t used = 0;     // choices of that segment already taken
bool following = false;
std::uint64_t data_seed = 0;
std::uint64_t data_count = 0;
}  // namespace

void begin_schedule_log() {
  segment = 0;
  used = 0;
  following = g.block->plan.prefix_segments != 0;
  data_seed = g.block->plan.policy.seed;
  data_count = 0;
}

bool next_planned_choice(std::uint32_t& choice) {
  if (!following) return false;
  const SharedBlock& block = *g.block;
  while (segment < block.plan.prefix_segments && used >= block.prefix[segment].count) {
    ++segment;
    used = 0;
  }
  if (segment >= block.plan.prefix_segments) {
    following = false;
    return false;
  }
  ++used;
  choice = block.prefix[segment].thread;
  return true;
}

bool takes_steps() {
  return following && g.block->plan.by_step != 0;
}

void put_back_choice() {
  --used;
}

void pass_step(std::uint32_t thread) {
  std::uint32_t meant = 0;
  if (next_planned_choice(meant) && meant != thread) diverged(meant);
}

std::uint32_t log_enabled(VirtualThread* const* ready, std::uint32_t count) {
  SharedBlock& block = *g.block;
  const std::uint32_t at = block.result.enabled;
  if (block.result.decisions >= kMaxDecisions || count > kMaxEnabled - at) return kNotListed;
  for (std::uint32_t i = 0; i < count; ++i) block.enabled[at + i] = ready[i]->index;
  block.result.enabled = at + count;
  return at;
}

void log_choice(std::uint32_t choice, std::uint32_t options, ThreadIndex current, std::uint32_t enabled_at) {
  SharedBlock& block = *g.block;
  ExecutionResult& result = block.result;
  if (result.decisions < kMaxDecisions) block.decisions[result.decisions] = {choice, options, current, enabled_at};
  ++result.decisions;
  if (result.segments != 0 && block.schedule[result.segments - 1].thread == choice) {
    ++block.schedule[result.segments - 1].count;
  } else if (result.segments < kMaxSegments) {
    block.schedule[result.segments++] = {choice, 1};
  } else {
    result.schedule_truncated = 1;
  }
}

void diverged(std::uint32_t expected) {
  ExecutionResult& result = g.block->result;
  if (result.expected_thread == 0 && result.diverged_at == 0) {
    result.diverged_at = result.decisions + 1;
    result.expected_thread = expected;
  }
  following = false;
  if (g.block->plan.on_divergence == OnDivergence::kStop) finish_diverged();
}

std::uint32_t random_alternative(std::uint32_t n) {
  // The first alternative without a seed, so that run-on stays the plainest schedule.
  if (data_seed == 0) return 0;
  Random random(mix64(data_seed) ^ mix64(++data_count));
  return static_cast<std::uint32_t>(random.below(n));
}

std::uint32_t planned_choices_left() {
  if (!following) return 0;
  const SharedBlock& block = *g.block;
  std::uint64_t left = 0;
  for (std::uint32_t i = segment; i < block.plan.prefix_segments; ++i) left += block.prefix[i].count;
  left -= segment < block.plan.prefix_segments ? used : 0;
  return left > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(left);
}

}  // namespace ravel::rt
