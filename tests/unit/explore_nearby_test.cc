// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The search near a schedule: what a small change has moved is found in few executions, where a search of everything
// would need many; the order is that of the distance from the preemptions.
#include <gtest/gtest.h>

#include <vector>

#include "support/search.h"

namespace ravel::testing {
namespace {

// `before` steps of no account, the two steps of an update that another thread can break, and `after` such steps.
toy::Program update_between(unsigned before, unsigned after) {
  toy::Program program = lost_update();
  for (unsigned t = 0; t < program.threads.size(); ++t) {
    std::vector<toy::Step> steps(before, toy::store(8 + t, 1));
    auto& thread = program.threads[t];
    thread.insert(thread.begin(), steps.begin(), steps.end());
    thread.insert(thread.end(), after, toy::store(8 + t, 2));
  }
  return program;
}

// Executions until the defect showed; 0: it did not.
std::uint64_t executions_until_found(const char* strategy, const toy::Program& program,
                                     const std::vector<Segment>& given) {
  Search search(strategy, program, update_lost);
  SharedBlock& block = *search.block;
  block.campaign.iterations = 100'000;
  block.campaign.keep_going = 0;
  block.campaign.base.prefix_segments = static_cast<std::uint32_t>(given.size());
  std::copy(given.begin(), given.end(), block.prefix);
  search.run();
  return block.progress.findings.load() == 0 ? 0 : search.executions();
}

TEST(Nearby, FindsWhatHasMovedByAFewDecisions) {
  constexpr unsigned kBefore = 6;
  const toy::Program program = update_between(kBefore, 40);
  // The preemption comes so many steps too early: it falls before the load of the first thread.
  for (const unsigned early : {1u, 2u, 4u}) {
    const std::vector<Segment> given = {{0, kBefore + 1 - early}, {1, 1}};
    const std::uint64_t near = executions_until_found("nearby", program, given);
    ASSERT_NE(near, 0u) << early;
    // Its own schedule, then at most three changes a step of distance.
    EXPECT_LE(near, 1 + 3 * (early + 1)) << early;
  }
  EXPECT_GT(executions_until_found("bounded,preemptions=1", program, {}), 40u);
}

TEST(Nearby, EndsWithoutAPromise) {
  toy::Program program = lost_update();
  for (auto& thread : program.threads) {  // an update that nothing can break
    thread.insert(thread.begin(), toy::lock(0));
    thread.push_back(toy::unlock(0));
  }
  Search search("nearby", program, update_lost);
  SharedBlock& block = *search.block;
  block.campaign.base.prefix_segments = 1;
  block.prefix[0] = {1, 2};
  search.run();
  EXPECT_EQ(block.progress.findings.load(), 0u);
  EXPECT_GE(search.executions(), 2u);
  EXPECT_LT(search.executions(), 20u);
  EXPECT_FALSE(search.complete());
  EXPECT_EQ(block.progress.promise_kept.load(), 0u);
}

}  // namespace
}  // namespace ravel::testing
