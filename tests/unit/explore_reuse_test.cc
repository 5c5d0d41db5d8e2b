// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A search keeps the order of the steps that an execution has in common with the one before it. With and without that
// the same executions are run, in the same order.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "support/search.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

// Number of executions, what they were in their order, and how the search ended.
std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, bool, std::string> searched(const char* strategy,
                                                                                    const toy::Program& program,
                                                                                    bool shortcuts) {
  Search search(strategy, program);
  search.block->campaign.base.without_shortcuts = shortcuts ? 0 : 1;
  search.block->campaign.iterations = 1'000;
  search.run();
  Progress& progress = search.block->progress;
  return {search.executions(), progress.digest.load(), progress.blocked.load(), search.complete(),
          progress.strategy_note};
}

void expect_the_same(const toy::Program& program, const std::string& where) {
  for (const char* strategy : {"dpor", "dpor,sets=source", "clock-vector"}) {
    EXPECT_EQ(searched(strategy, program, true), searched(strategy, program, false)) << strategy << ", " << where;
  }
}

TEST(OrderReuse, ChangesNothing) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    expect_the_same(program, "seed " + std::to_string(seed) + text_of(program));
  }
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    for (const auto random : {&toy::random_message_program, &toy::random_parcel_program, &toy::random_phase_program}) {
      expect_the_same(random(seed), "rounds and messages, seed " + std::to_string(seed));
    }
  }
}

// Executions of a few steps and of hundreds in turn.
TEST(OrderReuse, LongAndShortExecutions) {
  std::vector<std::vector<toy::Step>> threads;
  for (std::uint32_t t = 0; t < 3; ++t) {
    threads.push_back({load_or_end(0, 0)});
    for (std::uint32_t i = 0; i < 150; ++i) threads.back().push_back(toy::add(4 + t, 1));
    threads.back().push_back(toy::load(1, 1));
  }
  threads.push_back({toy::store(0, 1), toy::store(1, 1)});
  expect_the_same({threads, {}, {}}, "long and short executions");
}

}  // namespace
}  // namespace ravel::testing
