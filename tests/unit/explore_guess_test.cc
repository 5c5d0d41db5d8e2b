// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Operations that the search cannot compute are tried (docs/adr/0011). Here every operation of a family is, or all of
// them, on random programs: no behaviour is lost, none is invented, and a search that calls itself complete is. A guess
// costs executions and nothing else.
#include <gtest/gtest.h>

#include <string>

#include "explore/prediction.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

OpFamily guessed_family;

struct Guessing {
  explicit Guessing(GuessRule rule) { guess_rule = rule; }
  ~Guessing() { guess_rule = before; }
  Guessing(const Guessing&) = delete;
  Guessing& operator=(const Guessing&) = delete;
  GuessRule before = guess_rule;
};

struct Cost {
  std::uint64_t traces = 0;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
};

Cost compare(std::uint64_t programs) {
  Cost cost;
  for_programs(first_program(), programs, [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore("dpor", program);
    const std::string where = "seed " + std::to_string(seed) + text_of(program);
    EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
    EXPECT_TRUE(outcome.ends == truth.ends) << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
    EXPECT_GE(outcome.executions, truth.traces.size()) << where;
    cost.traces += truth.traces.size();
    cost.executions += outcome.executions;
    cost.blocked += outcome.blocked;
    return !::testing::Test::HasFailure();
  });
  return cost;
}

TEST(GuessFuzz, AllOperationsTried) {
  const Guessing all([](OpKind) { return true; });
  const Cost cost = compare(programs_to_try(4));
  EXPECT_GT(cost.blocked, cost.traces / 20) << "guesses were made";
  RecordProperty("cost", std::to_string(cost.executions) + " executions and " + std::to_string(cost.blocked) +
                             " blocked of " + std::to_string(cost.traces) + " traces");
}

TEST(GuessFuzz, OneFamilyTriedAmongOthersThatAreKnown) {
  const Guessing family([](OpKind kind) { return family_of(kind) == guessed_family; });
  std::uint64_t blocked = 0;
  for (const OpFamily one : {OpFamily::kMutex, OpFamily::kCond, OpFamily::kRw, OpFamily::kSem, OpFamily::kBarrier,
                             OpFamily::kOnce, OpFamily::kFutex, OpFamily::kLifecycle, OpFamily::kMemory}) {
    guessed_family = one;
    SCOPED_TRACE("family " + std::to_string(static_cast<unsigned>(one)));
    blocked += compare(programs_to_try(10)).blocked;
  }
  EXPECT_GT(blocked, 0u);
}

}  // namespace
}  // namespace ravel::testing
