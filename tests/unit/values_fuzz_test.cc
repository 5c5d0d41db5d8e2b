// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// values on random programs, against trying every interleaving: as many executions as there are value schedules, the
// same ends, and each rule is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "explore/values/rules.h"
#include "support/toy_facts.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

// Of other operations the search never claims to be complete (explore/values/scope.h). No program ends an
// initialisation that it has not begun.
bool in_scope(const toy::Program& program) {
  for (const std::vector<toy::Step>& thread : program.threads) {
    for (std::size_t i = 0; i < thread.size(); ++i) {
      const toy::Step& step = thread[i];
      const std::size_t last = std::min(i + step.skip, thread.size() - 1);  // that may be passed over
      if (step.skip != 0 && step.kind != OpKind::kOnceBegin && thread[last].kind == OpKind::kOnceBegin) return false;
      const OpFamily family = family_of(step.kind);
      const bool known = is_memory_access(step.kind) || family == OpFamily::kMutex || family == OpFamily::kCond ||
                         family == OpFamily::kSem || family == OpFamily::kBarrier || family == OpFamily::kOnce ||
                         step.kind == OpKind::kChoice;
      if (!known || step.timed) return false;
    }
  }
  return true;
}

// Equal steps of a thread stand at one place, as in a loop: several instances of one access. `arrays`: also those about
// different objects.
toy::Program in_loops(toy::Program program, bool arrays) {
  for (std::vector<toy::Step>& thread : program.threads) {
    for (std::uint32_t i = 0; i < thread.size(); ++i) {
      for (std::uint32_t j = 0; j < i && thread[i].as == 0; ++j) {
        const bool about = arrays || (thread[i].at == thread[j].at && thread[i].second == thread[j].second);
        if (about && thread[i].kind == thread[j].kind && thread[j].as == 0) thread[i].as = j + 1;
      }
    }
  }
  return program;
}

// Where the pairs come from.
enum class From : std::uint8_t { kNothing, kFacts, kFactsWithoutLocks, kFactsWithGaps };

// At length each source of pairs has all programs; every day those that are slow have a part of them.
std::uint64_t tries(std::uint64_t share) {
  return programs_to_try(std::getenv("RAVEL_FUZZ_PROGRAMS") == nullptr ? share : 1);
}

void expect_exact(const char* strategy, From from, std::uint64_t share, bool loops = false) {
  std::uint64_t schedules = 0;
  std::uint64_t beside = 0;
  std::uint64_t tried = 0;
  for_programs(first_program(), tries(share), [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    if (!in_scope(program)) return true;
    const ToyFacts facts(program, from == From::kFactsWithGaps ? seed + 1 : 0, from != From::kFactsWithoutLocks);
    const Outcome outcome = explore(strategy, loops ? in_loops(program, seed % 2 == 0) : program, 0, 1,
                                    from == From::kNothing ? 0 : facts.address());
    const std::string where = std::string(strategy) + ", seed " + std::to_string(seed) + text_of(program);
    EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
    EXPECT_EQ(outcome.executions, truth.traces.size()) << where;
    EXPECT_TRUE(outcome.ends == truth.ends) << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
    schedules += truth.traces.size();
    beside += outcome.blocked;
    ++tried;
    return !::testing::Test::HasFailure() || std::getenv("RAVEL_FUZZ_ALL") != nullptr;
  });
  EXPECT_GT(tried, tries(share) / 4) << "too few of the programs are about the operations in question";
  ::testing::Test::RecordProperty("programs", std::to_string(tried));
  ::testing::Test::RecordProperty("redundant", std::to_string(beside) + " beside " + std::to_string(schedules));
}

TEST(ValuesFuzz, OneExecutionAValueScheduleAndTheSameEnds) {
  expect_exact("values", From::kNothing, 1);
}
TEST(ValuesFuzz, TheSameWithLoops) {
  expect_exact("values", From::kNothing, 2, true);
}
TEST(ValuesFuzz, TheSameWithFacts) {
  expect_exact("values", From::kFacts, 4);
}
TEST(ValuesFuzz, TheSameWithFactsThatLackAThirdOfThePairs) {
  expect_exact("values", From::kFactsWithGaps, 4);
}
TEST(ValuesFuzz, TheSameWithFactsThatKnowNoLocks) {
  expect_exact("values", From::kFactsWithoutLocks, 8);
}
TEST(ValuesFuzz, TheSameDepthFirst) {
  expect_exact("values,order=dfs", From::kFacts, 8);
}

// Whatever else a program does: what is called complete is.
TEST(ValuesFuzz, NothingElseIsCalledComplete) {
  for_programs(first_program(), programs_to_try(4),
               [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
                 if (in_scope(program)) return true;
                 const Outcome outcome = explore("values", program);
                 if (!outcome.complete) return true;
                 EXPECT_EQ(outcome.executions, truth.traces.size()) << "seed " << seed << text_of(program);
                 EXPECT_TRUE(outcome.ends == truth.ends) << "seed " << seed << text_of(program);
                 return !::testing::Test::HasFailure();
               });
}

struct Rule {
  const char* name;
  std::uint32_t bit;
};
constexpr Rule kRules[] = {
    {"subset", values::kOffSubset},
    {"release path", values::kOffRelease},
    {"WN", values::kOffWn},
    {"WN, a wait as release", values::kOffWaitReleases},
    {"WM", values::kOffWm},
    {"WM at an entry", values::kOffWmAtEntry},
    {"WW", values::kOffWw},
    {"dedicated points", values::kOffDedicated},
    {"not on the stack", values::kOffOnTheStack},
    {"deadlock before dropping", values::kOffForEver},
    {"blocked on the way", values::kOffBlocked},
};

TEST(ValuesFuzz, EveryRuleIsNeeded) {
  for (const Rule& rule : kRules) {
    values::rules_off = rule.bit;
    bool noticed = false;
    for_programs(0, 4'000, [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
      if (!in_scope(program)) return true;
      const Outcome outcome = explore("values", seed % 2 == 0 ? program : in_loops(program, false));
      noticed = !outcome.complete || outcome.executions != truth.traces.size() || outcome.ends != truth.ends;
      return !noticed;
    });
    values::rules_off = 0;
    EXPECT_TRUE(noticed) << rule.name;
  }
}

// Without them as many schedules, and not fewer goals that are dropped.
TEST(ValuesFuzz, ShortcutsSpareDroppedGoalsOnly) {
  std::uint64_t spared = 0;
  for_programs(first_program(), programs_to_try(8),
               [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
                 if (!in_scope(program)) return true;
                 const Outcome with = explore("values,order=dfs", program);
                 values::rules_off = values::kOffLookAhead | values::kOffBlockedAtOnce;
                 const Outcome without = explore("values,order=dfs", program);
                 values::rules_off = 0;
                 EXPECT_EQ(with.executions, truth.traces.size()) << "seed " << seed << text_of(program);
                 EXPECT_EQ(without.executions, truth.traces.size()) << "seed " << seed << text_of(program);
                 EXPECT_TRUE(with.ends == without.ends) << "seed " << seed << text_of(program);
                 spared += without.values.all_runs > with.values.all_runs ? 1 : 0;
                 return !::testing::Test::HasFailure();
               });
  EXPECT_GT(spared, 0u);
}

}  // namespace
}  // namespace ravel::testing
