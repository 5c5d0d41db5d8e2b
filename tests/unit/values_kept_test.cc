// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// values: what a search has learned helps a later one of the same program, and never changes what it finds.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "semantics/pending_form.h"
#include "support/toy_facts.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

using toy::load;
using toy::store;

// Facts, or none, with what an earlier search has learned.
class FactsAndKept {
 public:
  FactsAndKept(const ToyFacts* facts, const std::vector<KeptPair>& kept) {
    FactsTableHeader header;
    header.bytes = facts_bytes(header);
    bytes_.assign(reinterpret_cast<const char*>(&header), sizeof header);
    if (facts != nullptr) {
      std::memcpy(&header, reinterpret_cast<const void*>(facts->address()), sizeof header);
      bytes_.assign(reinterpret_cast<const char*>(facts->address()), header.bytes);
    }
    header.kept = static_cast<std::uint32_t>(kept.size());
    header.bytes = facts_bytes(header);
    std::memcpy(bytes_.data(), &header, sizeof header);
    bytes_.append(reinterpret_cast<const char*>(kept.data()), sizeof(KeptPair) * kept.size());
  }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(bytes_.data()); }

 private:
  std::string bytes_;
};

std::uint64_t goals_of(const Outcome& outcome) {
  std::uint64_t all = 0;
  for (const std::uint64_t goals : outcome.values.goals) all += goals;
  return all;
}

toy::Step load_or_skip(unsigned variable, std::uint32_t value, std::uint32_t skip) {
  toy::Step branch = load(variable, 1);
  branch.flow = toy::Flow::kSkipUnlessEqual;
  branch.value = value;
  branch.skip = skip;
  return branch;
}

// if (y == 200) x = 9, which never is.
std::vector<toy::Step> never_written() {
  return {load_or_skip(8, 200, 1), store(0, 9)};
}

TEST(ValuesKept, WhatIsNeverReachedIsNotPlannedForAgain) {
  const toy::Program program{
      {{load(0), load(0), load(0), load(0), load(0), load(0), load(0), load(0), load(0)}, never_written()}, {}, {}};
  const ToyFacts facts(program);
  const Outcome first = explore("values", program, 0, 1, facts.address());
  ASSERT_EQ(first.kept.size(), 1u);
  EXPECT_EQ(first.kept[0].verdict, PairVerdict::kNotReached);
  EXPECT_EQ(first.kept[0].second.location, FakeExecutor::location_of(1, 1));
  EXPECT_EQ(goals_of(first), 9u) << "one for each read";
  const FactsAndKept later(&facts, first.kept);
  const Outcome second = explore("values", program, 0, 1, later.address());
  EXPECT_TRUE(second.complete);
  EXPECT_EQ(second.executions, first.executions);
  EXPECT_EQ(goals_of(second), 0u);
  EXPECT_EQ(second.values.kept, 1u);
  EXPECT_EQ(second.kept.size(), 1u) << "for the run behind this one";
}

// A conflict that facts do not know, and that the first executions do not show: the order that fails is planned at
// once.
TEST(ValuesKept, ConflictsThatWereSeenComeFirst) {
  // The second thread writes x only if it comes between the two writes of y.
  const toy::Program program{
      {{store(8, 1), load(16), load(24), load(0, 1), store(8, 2)}, {load_or_skip(8, 1, 1), store(0, 5)}}, {}, {}};
  const auto fails = [](const toy::State& state) { return state.threads[0].registers[1] == 5; };
  const auto runs_until = [&](const std::vector<KeptPair>& kept) {
    const FactsAndKept known(nullptr, kept);
    Search search("values", program, fails);
    search.block->campaign.facts = known.address();
    search.block->campaign.keep_going = 0;
    search.run();
    EXPECT_EQ(search.block->progress.findings.load(), 1u);
    return search.block->progress.values.all_runs;
  };
  const Outcome first = explore("values", program);
  EXPECT_TRUE(first.complete);
  EXPECT_GT(first.values.searches, 1u);
  EXPECT_LT(runs_until(first.kept), runs_until({})) << runs_until({});
}

void expect_same(const Outcome& outcome, const Truth& truth, const std::string& where) {
  EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
  EXPECT_EQ(outcome.executions, truth.traces.size()) << where;
  EXPECT_TRUE(outcome.ends == truth.ends) << where;
}

// A goal on a write that nobody has seen comes true: a further instance of that write may come before the read as well.
TEST(ValuesKept, FurtherInstancesOfWhatWasPlannedForAreGoals) {
  toy::Step again = store(0, 6);
  again.as = 2;
  const toy::Program program{
      {{store(8, 1), load(0), store(8, 2)}, {load_or_skip(8, 1, 2), store(0, 5), again}}, {}, {}};
  const std::optional<Truth> truth = truth_of(program, kMostInterleavings);
  ASSERT_TRUE(truth);
  const ToyFacts facts(program);
  expect_same(explore("values", program, 0, 1, facts.address()), *truth, "facts");
  const FactsAndKept known(nullptr, explore("values", program).kept);
  expect_same(explore("values", program, 0, 1, known.address()), *truth, "kept");
}

// The write is given up after eight reads, and points of another path are made without it; then it is executed there.
TEST(ValuesKept, WhatWasGivenUpIsNewWhenItIsExecuted) {
  toy::Program program;
  program.threads = {{store(16, 1)}, {load_or_skip(8, 1, 1), store(0, 5)}, {load_or_skip(16, 0, 1), store(8, 1)}};
  for (unsigned i = 0; i < 9; ++i) program.threads[0].push_back(load(0));
  const std::optional<Truth> truth = truth_of(program, 10'000);
  ASSERT_TRUE(truth);
  const ToyFacts facts(program);
  expect_same(explore("values", program, 0, 1, facts.address()), *truth, "facts");
  const FactsAndKept known(nullptr, explore("values", program).kept);
  expect_same(explore("values", program, 0, 1, known.address()), *truth, "kept");
}

// Most accesses stand behind branches on what the others write, and some at one place as in a loop: executions show
// them late.
toy::Program with_branches(std::uint64_t seed) {
  Random random(seed);
  toy::Program program;
  for (unsigned thread = 0; thread < 2 + random.below(2); ++thread) {
    std::vector<toy::Step> steps;
    for (unsigned i = 0; i < 2; ++i) {
      const auto decides = 8 * static_cast<unsigned>(random.below(3));
      steps.push_back(load_or_skip(decides, static_cast<std::uint32_t>(random.below(3)), 1));
      const auto variable = 8 * static_cast<unsigned>(random.below(3));
      steps.push_back(random.below(3) == 0 ? load(variable)
                                           : store(variable, 1 + static_cast<unsigned>(random.below(2))));
    }
    if (random.below(2) == 0) {  // once more
      steps[3] = steps[1];
      steps[3].as = 2;
    }
    program.threads.push_back(std::move(steps));
  }
  return program;
}

bool is_memory_and_locks(const toy::Program& program) {
  for (const std::vector<toy::Step>& thread : program.threads) {
    for (const toy::Step& step : thread) {
      const OpFamily family = family_of(step.kind);
      if (step.timed || !(is_memory_access(step.kind) || family == OpFamily::kMutex || family == OpFamily::kCond))
        return false;
    }
  }
  return true;
}

// Rows that say something about places of the program, all of it made up.
std::vector<KeptPair> made_up(const std::vector<KeptPair>& of_program, std::uint64_t seed) {
  std::vector<KeptPair> rows = of_program;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    seed = mix64(seed + i + 1);
    std::swap(rows[i].second, rows[seed % rows.size()].first);
    rows[i].verdict = static_cast<PairVerdict>(seed / 7 % 3);
  }
  return rows;
}

TEST(ValuesKept, TheResultIsTheSameWhateverIsKept) {
  std::uint64_t tried = 0;
  for_programs(first_program(), programs_to_try(4),
               [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
                 if (!is_memory_and_locks(program)) return true;
                 const ToyFacts facts(program, seed + 1, seed % 2 == 0);
                 const ToyFacts* known = seed % 3 == 0 ? nullptr : &facts;
                 const std::string where = "seed " + std::to_string(seed) + text_of(program);
                 const Outcome first = explore("values", program, 0, 1, known == nullptr ? 0 : known->address());
                 const FactsAndKept right(known, first.kept);
                 const FactsAndKept wrong(known, made_up(first.kept, seed));
                 expect_same(explore("values", program, 0, 1, right.address()), truth, where);
                 expect_same(explore("values", program, 0, 1, wrong.address()), truth, "made up, " + where);
                 ++tried;
                 return !::testing::Test::HasFailure();
               });
  EXPECT_GT(tried, programs_to_try(4) / 8);
}

TEST(ValuesKept, WhatIsSeenLateIsNoReasonToStartOverWhereItWasPlannedFor) {
  std::uint64_t searches[2] = {};
  for (std::uint64_t seed = first_program(); seed < first_program() + programs_to_try(16); ++seed) {
    const toy::Program program = with_branches(seed);
    const std::optional<Truth> truth = truth_of(program, kMostInterleavings);
    if (!truth) continue;
    const std::string where = "seed " + std::to_string(seed) + text_of(program);
    const Outcome first = explore("values", program);
    expect_same(first, *truth, where);
    EXPECT_EQ(first.kept.size(), first.values.pairs) << where;
    const FactsAndKept right(nullptr, first.kept);
    const FactsAndKept wrong(nullptr, made_up(first.kept, seed));
    const Outcome second = explore("values", program, 0, 1, right.address());
    expect_same(second, *truth, where);
    expect_same(explore("values", program, 0, 1, wrong.address()), *truth, "made up, " + where);
    const ToyFacts facts(program, seed + 1);
    expect_same(explore("values", program, 0, 1, facts.address()), *truth, "facts, " + where);
    searches[0] += first.values.searches;
    searches[1] += second.values.searches;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_LT(searches[1], searches[0]);
  ::testing::Test::RecordProperty("searches", std::to_string(searches[1]) + " after " + std::to_string(searches[0]));
}

}  // namespace
}  // namespace ravel::testing
