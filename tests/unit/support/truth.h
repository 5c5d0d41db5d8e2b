// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The judge of searches: random programs small enough to try every interleaving, their final states and traces, counted
// independently by canonical form.
#pragma once

#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/random_program.h"
#include "support/search.h"

namespace ravel::testing {

inline std::string text_of(const toy::Program& program) {
  std::string text;
  for (const std::vector<toy::Step>& thread : program.threads) {
    text += "\n ";
    for (const toy::Step& step : thread) {
      text += " " + std::string(op_name(step.kind)) + "." + std::to_string(step.at);
      if (step.timed) text += "t";
      if (step.skip != 0) text += "?" + std::to_string(step.skip);
      if (step.value != 0 || step.kind == OpKind::kAtomicCas) text += "=" + std::to_string(step.value);
      if (step.kind == OpKind::kAtomicCas) text += ">" + std::to_string(step.desired);
    }
  }
  return text;
}

struct Truth {
  std::set<std::string> ends;  // final states
  std::set<std::string> traces;
  std::uint64_t interleavings = 0;
};

inline bool enumerate(const toy::Program& program, const toy::State& state, const toy::CanonicalTrace& trace,
                      std::uint64_t most, Truth& truth) {
  const std::vector<toy::Transition> ways = toy::enabled(program, state);
  if (ways.empty()) {
    truth.ends.insert(toy::bytes_of(state));
    truth.traces.insert(trace.key());
    return ++truth.interleavings <= most;
  }
  for (const toy::Transition& way : ways) {
    toy::State next = state;
    toy::CanonicalTrace longer = trace;
    longer.add(toy::execute(program, next, way));
    if (!enumerate(program, next, longer, most, truth)) return false;
  }
  return true;
}

// Nothing when there are too many interleavings.
inline std::optional<Truth> truth_of(const toy::Program& program, std::uint64_t most) {
  Truth truth;
  if (!enumerate(program, toy::initial_state(program), {}, most, truth)) return std::nullopt;
  return truth;
}

struct Outcome {
  std::set<std::string> ends;
  std::set<std::vector<std::uint32_t>> schedules;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool complete = false;
  std::string note;
  ValueCounts values;  // of a search by goals
  std::vector<KeptPair> kept;
};

// As the shard of several processes, if there are.
inline Outcome explore(const char* strategy, const toy::Program& program, std::uint32_t shard = 0,
                       std::uint32_t shards = 1, std::uint64_t facts = 0) {
  Search search(strategy, program);
  search.block->campaign.facts = facts;
  Outcome outcome;
  // What ran redundantly must not help: an end is entered when its execution has been counted.
  std::string end;
  std::uint64_t counted = 0;
  const auto enter_last = [&] {
    if (search.executions() != counted && !end.empty()) outcome.ends.insert(end);
    counted = search.executions();
    end.clear();
  };
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    enter_last();
    const OutcomeKind outcome_now = block.result.outcome;
    if (outcome_now != OutcomeKind::kDiverged && outcome_now != OutcomeKind::kAbandoned)
      end = toy::bytes_of(search.executor.last_state);
  };
  search.block->campaign.iterations = 100'000;
  search.block->campaign.shard_index = shard;
  search.block->campaign.shard_count = shards;
  search.run();
  enter_last();
  outcome.schedules = std::move(search.executor.schedules);
  outcome.executions = search.executions();
  outcome.blocked = search.block->progress.blocked.load();
  outcome.complete = search.complete();
  outcome.note = search.block->progress.strategy_note;
  outcome.values = search.block->progress.values;
  outcome.kept.assign(search.block->kept.rows, search.block->kept.rows + search.block->kept.count);
  return outcome;
}

inline constexpr std::uint64_t kMostInterleavings = 3'000;

// Calls `judge` with so many programs that are small enough.
inline void for_programs(std::uint64_t first, std::uint64_t count,
                         const std::function<bool(std::uint64_t seed, const toy::Program&, const Truth&)>& judge) {
  for (std::uint64_t seed = first, done = 0; done < count; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    const std::optional<Truth> truth = truth_of(program, kMostInterleavings);
    if (!truth) continue;
    ++done;
    if (!judge(seed, program, *truth)) return;
  }
}

// Other programs than in an everyday run.
inline std::uint64_t first_program() {
  const char* text = std::getenv("RAVEL_FUZZ_FIRST");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

// Less of what is slower than the usual one.
inline std::uint64_t programs_to_try(std::uint64_t share = 1) {
  const char* text = std::getenv("RAVEL_FUZZ_PROGRAMS");
  return (text == nullptr ? 1'000 : std::strtoull(text, nullptr, 10)) / share;
}

}  // namespace ravel::testing
