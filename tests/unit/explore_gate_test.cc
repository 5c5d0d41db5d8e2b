// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Searches behind a gate: random programs, and sequences that are prefixes of one of their executions, some of them
// edited. dfs tries everything that the gate admits and is the judge; dpor has to reach the same ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/random_program.h"
#include "support/search.h"

namespace ravel::testing {
namespace {

constexpr std::uint64_t kMostExecutions = 4'000;

// A campaign with a sequence; what its executions ended with.
struct GatedSearch : Search {
  GatedSearch(const char* strategy, const toy::Program& program, const std::vector<SequenceEvent>& list,
              SequenceRules rules, std::uint64_t executions = kMostExecutions)
      : Search(strategy, program) {
    std::copy(list.begin(), list.end(), block->sequence);
    rules.count = static_cast<std::uint32_t>(list.size());
    block->campaign.base.sequence = rules;
    block->campaign.iterations = executions;
    executor.at_end = [this](std::uint64_t, SharedBlock& shared) {
      const ExecutionResult& result = shared.result;
      if (result.outcome == OutcomeKind::kDiverged) return;
      ends.insert(std::string(outcome_name(result.outcome)) + std::to_string(result.sequence_done) +
                  (result.sequence_fits != 0 ? " fits " : " ") + toy::bytes_of(executor.last_state));
    };
    run();
  }
  std::set<std::string> ends;
};

// The events of one execution, as a list in their order.
std::vector<SequenceEvent> some_sequence(const toy::Program& program, std::uint64_t seed) {
  Search search("random", program);
  search.block->campaign.iterations = 1;
  search.block->campaign.seed = seed;
  std::vector<SequenceEvent> list;
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    for (std::uint64_t i = 0; i < block.result.events.load(); ++i) {
      const Event& event = block.ring[i];
      if (!is_sequence_event(event.kind)) continue;
      SequenceEvent entry;
      entry.thread = thread_name_in(block.threads, event.thread);
      entry.object =
          place_name_in(block.threads, block.objects, sequence_place(event.kind, place_of(event), event.value));
      entry.kind = event.kind;
      list.push_back(entry);
    }
  };
  search.run();
  return list;
}

struct Case {
  std::vector<SequenceEvent> list;
  SequenceRules rules;
};
Case random_case(const toy::Program& program, std::uint64_t seed) {
  Random random(seed);
  Case out{some_sequence(program, seed), {}};
  std::vector<SequenceEvent>& list = out.list;
  out.rules.order = random.below(2) == 0 ? SequenceOrder::kTotal : SequenceOrder::kObject;
  out.rules.open = random.below(4) != 0;
  out.rules.listed = random.below(3) == 0;
  if (out.rules.open != 0 && !list.empty()) list.resize(1 + random.below(list.size()));
  if (list.size() > 1 && random.below(3) == 0) {
    const std::size_t at = random.below(list.size() - 1);
    std::swap(list[at], list[at + 1]);
  }
  return out;
}

TEST(Gate, DporReachesTheSameEndsAsDfs) {
  unsigned compared = 0;
  unsigned fitting = 0;
  unsigned held = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    const Case some = random_case(program, seed);
    if (some.list.empty()) continue;
    GatedSearch all("dfs", program, some.list, some.rules);
    if (!all.complete()) continue;
    GatedSearch reduced("dpor", program, some.list, some.rules);
    ASSERT_TRUE(reduced.complete()) << "program " << seed << ": " << reduced.block->progress.strategy_note;
    ASSERT_EQ(reduced.ends, all.ends) << "program " << seed;
    ASSERT_LE(reduced.executions(), all.executions()) << "program " << seed;
    ++compared;
    fitting += std::any_of(all.ends.begin(), all.ends.end(),
                           [](const std::string& end) { return end.find(" fits ") != std::string::npos; });
    held +=
        std::any_of(all.ends.begin(), all.ends.end(), [](const std::string& end) { return end.starts_with("held"); });
  }
  EXPECT_GT(compared, 150u);
  EXPECT_GT(fitting, 50u);
  EXPECT_GT(held, 20u);
}

// What an execution did can happen, and a search that begins with it is not larger than one that does not.
TEST(Gate, EverySequenceOfTheUnreducedSearchIsFeasible) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    for (std::uint64_t run = 1; run <= 5; ++run) {
      const std::vector<SequenceEvent> list = some_sequence(program, seed * 100 + run);
      if (list.empty()) continue;
      for (const SequenceOrder order : {SequenceOrder::kTotal, SequenceOrder::kObject}) {
        SequenceRules rules;
        rules.order = order;
        const GatedSearch search("dpor", program, list, rules);
        EXPECT_TRUE(std::any_of(search.ends.begin(), search.ends.end(),
                                [](const std::string& end) { return end.find(" fits ") != std::string::npos; }))
            << "program " << seed << ", run " << run;
      }
    }
  }
}

// A decision is one with and without the gate: the schedule of a gated execution leads to the same end on its own.
TEST(Gate, SchedulesMeanTheSameWithoutIt) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    const Case some = random_case(program, seed);
    if (some.list.empty()) continue;
    GatedSearch gated("random", program, some.list, some.rules, 20);
    if (gated.block->result.outcome == OutcomeKind::kHeld) continue;
    const std::string end = toy::bytes_of(gated.executor.last_state);
    SharedBlock& block = *gated.block;
    std::copy(block.schedule, block.schedule + block.result.segments, block.prefix);
    block.plan.prefix_segments = block.result.segments;
    block.plan.prefix_kind = PrefixKind::kDecisions;
    block.plan.sequence = {};
    class Sink final : public EventSink {
     public:
      void consume(std::span<const Event>, std::uint64_t) override {}
    } sink;
    gated.executor.at_end = {};
    gated.executor.execute(sink);
    EXPECT_EQ(toy::bytes_of(gated.executor.last_state), end) << "program " << seed;
  }
}

}  // namespace
}  // namespace ravel::testing
