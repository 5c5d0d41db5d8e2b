// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bounded search: each defect at its known number of preemptions and never below it; without a limit it covers what dfs
// covers.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/random_program.h"
#include "support/search.h"

namespace ravel::testing {
namespace {

struct Case {
  const char* name;
  toy::Program program;
  FakeExecutor::Judge judge;
  unsigned preemptions;
  unsigned all_at = 9;  // bound at which everything is covered
};

TEST(Bounded, FindsEachDefectAtItsNumberOfPreemptions) {
  const Case cases[] = {
      {"wrong order", wrong_order(), came_first, 0, 0},          {"lost update", lost_update(), update_lost, 1},
      {"stand still", stand_still(6), stood_still, 1},           {"ping pong", ping_pong(), ping_ponged, 2},
      {"long ping pong", long_ping_pong(), long_ping_ponged, 3}, {"crossed locks", crossed_locks(), {}, 1, 1}};
  for (const Case& c : cases) {
    for (unsigned bound = 0; bound <= c.preemptions; ++bound) {
      Search search(("bounded,preemptions=" + std::to_string(bound)).c_str(), c.program, c.judge);
      search.run();
      EXPECT_EQ(search.block->progress.findings.load() != 0, bound == c.preemptions) << c.name << " at " << bound;
      EXPECT_TRUE(search.block->progress.promise_kept.load() == 1);
      // Threads of one step cannot be interrupted, and two locks leave no room for a second preemption.
      EXPECT_EQ(search.complete(), c.all_at <= bound) << c.name << " at " << bound;
      if (search.complete()) continue;
      const std::string note = search.block->progress.strategy_note;
      EXPECT_NE(note.find("at most " + std::to_string(bound) + " preemptions"), std::string::npos) << note;
    }
  }
}

std::set<std::vector<std::uint32_t>> schedules_of(const char* strategy, const toy::Program& program) {
  Search search(strategy, program);
  search.block->campaign.iterations = 50'000;
  search.run();
  EXPECT_TRUE(search.complete());
  return search.executor.schedules;
}

TEST(Bounded, WithoutALimitItCoversTheTree) {
  for (const toy::Program& program :
       {straight_lines({3, 2}), straight_lines({2, 2, 1}), crossed_locks(), ping_pong()}) {
    const auto all = schedules_of("dfs", program);
    EXPECT_EQ(schedules_of("bounded", program), all);
    EXPECT_EQ(schedules_of("bounded,delays=100", program), all);
  }
}

TEST(Bounded, NumbersOfSchedules) {
  // Two threads of n steps: without a preemption one before the other. With one: n-1 places in the first to run, twice.
  for (unsigned n = 2; n <= 5; ++n) {
    Search none("bounded,preemptions=0", straight_lines({n, n}));
    none.run();
    EXPECT_EQ(none.executor.schedules.size(), 2u);
    Search one("bounded,preemptions=1", straight_lines({n, n}));
    one.run();
    EXPECT_EQ(one.executor.schedules.size(), 2u + 2u * (n - 1));
    // Delays: the plain schedule alone; one delay starts the other thread first, or interrupts the first one.
    Search delay("bounded,delays=1", straight_lines({n, n}));
    delay.run();
    EXPECT_EQ(delay.executor.schedules.size(), 1u + n);
  }
}

}  // namespace
}  // namespace ravel::testing
