// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Directed tries of static facts: each is made once, by one of the processes.
#include "explore/static_tries.h"

#include <gtest/gtest.h>

#include <set>

namespace ravel {
namespace {

TEST(StaticTries, EachIsMadeOnceByOneProcess) {
  FactTry tries[5];
  for (unsigned i = 0; i < 5; ++i) tries[i].at[0] = 100 + i;
  std::multiset<LocationId> made;
  for (std::uint32_t shard = 0; shard < 3; ++shard) {
    const StaticTries queue(tries, shard, 3);
    for (std::uint32_t done = 0; queue.has(done); ++done) {
      PolicySpec policy;
      queue.fill(policy, done);
      EXPECT_EQ(policy.kind, PolicyKind::kPark);
      EXPECT_EQ(policy.park_at[1], 0u);
      made.insert(policy.park_at[0]);
    }
  }
  EXPECT_EQ(made, (std::multiset<LocationId>{100, 101, 102, 103, 104}));
}

TEST(StaticTries, WithoutFactsThereAreNone) {
  EXPECT_FALSE(StaticTries({}, 0, 1).has(0));
}

}  // namespace
}  // namespace ravel
