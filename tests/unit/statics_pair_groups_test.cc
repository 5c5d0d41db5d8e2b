// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs as lists of sites: what is grouped comes out as it was, and what is alike is written once.
#include "statics/pair_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace ravel {
namespace {

constexpr std::uint64_t kAny = 1'000'000;

auto key(const SitePair& pair) {
  return std::tie(pair.kind, pair.first, pair.second, pair.must, pair.object);
}

bool equal(const std::vector<SitePair>& a, const std::vector<SitePair>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SitePair& x, const SitePair& y) { return key(x) == key(y); });
}

// Each kind has each pair of sites at most once, sorted, as the analysis leaves them.
std::vector<SitePair> random_pairs(std::mt19937& random, unsigned sites, unsigned density) {
  std::vector<SitePair> pairs;
  for (const PairKind kind : {PairKind::kRW, PairKind::kMM, PairKind::kWM, PairKind::kWN}) {
    for (unsigned a = 0; a < sites; ++a) {
      for (unsigned b = a; b < sites; ++b) {
        // Of few kinds of sites, so that there is something to group.
        if ((a % 3 + b % 3 + static_cast<unsigned>(kind)) % 4 >= density && random() % 8 != 0) continue;
        pairs.push_back({kind, a, b, (a + b) % 2 == 0, random() % 9 == 0 ? "y" : "x"});
      }
    }
  }
  return pairs;
}

TEST(PairGroups, GiveBackWhatWasGrouped) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 400; ++round) {
    const auto pairs = random_pairs(random, 1 + random() % 14, random() % 5);
    const auto back = pairs_of_groups(group_pairs(pairs), kAny);
    ASSERT_TRUE(back.has_value());
    ASSERT_TRUE(equal(*back, pairs)) << "round " << round;
  }
}

// Two thousand writes of two threads: two million pairs in one row.
TEST(PairGroups, WriteWhatIsAlikeOnce) {
  std::vector<SitePair> pairs;
  for (unsigned a = 0; a < 2'000; ++a) {
    for (unsigned b = 2'000; b < 3'000; ++b) pairs.push_back({PairKind::kRW, a, b, true, "x"});
  }
  const auto groups = group_pairs(pairs);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].first.size(), 2'000u);
  EXPECT_EQ(groups[0].second.size(), 1'000u);
}

TEST(PairGroups, OfManyThreadsOfOneClassMeetThemselves) {
  std::vector<SitePair> pairs;
  for (unsigned a = 0; a < 50; ++a) {
    for (unsigned b = a; b < 50; ++b) pairs.push_back({PairKind::kRW, a, b, false, "x"});
  }
  const auto groups = group_pairs(pairs);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].first, groups[0].second);
  EXPECT_TRUE(equal(*pairs_of_groups(groups, kAny), pairs));
}

TEST(PairGroups, HaveALimit) {
  std::vector<unsigned> many(1'001, 0);
  EXPECT_FALSE(pairs_of_groups({{PairKind::kRW, many, many, false, "x"}}, kAny).has_value());
}

}  // namespace
}  // namespace ravel
