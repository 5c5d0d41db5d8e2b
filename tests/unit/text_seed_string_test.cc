// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/seed_string.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <random>

namespace ravel {
namespace {

SeedString sample() {
  SeedString seed;
  seed.build_tag = build_tag_of("0123abcd");
  seed.plan.policy.kind = PolicyKind::kPct;
  seed.plan.policy.depth = 4;
  seed.plan.policy.seed = 123456789;
  seed.plan.points = PointsMode::kShared;
  seed.plan.timeouts = TimeoutMode::kAdversarial;
  seed.plan.volatiles = VolatileMode::kAcqRel;
  seed.plan.waiters = WaiterMode::kFifo;
  seed.racy = {0x10001234, 0x42};
  seed.prefix = {{1, 3}, {kDataChoice | 1, 1}};
  return seed;
}

TEST(SeedString, SurvivesWritingAndReading) {
  const std::string text = write_seed_string(sample());
  EXPECT_EQ(text.substr(0, 4), "rv1:");
  EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 4),
            std::string::npos);
  const auto again = parse_seed_string(text);
  ASSERT_TRUE(again) << again.error().line();
  EXPECT_EQ(again->build_tag, sample().build_tag);
  EXPECT_EQ(again->plan.policy.kind, PolicyKind::kPct);
  EXPECT_EQ(again->plan.policy.depth, 4);
  EXPECT_EQ(again->plan.policy.seed, 123456789u);
  EXPECT_EQ(again->plan.points, PointsMode::kShared);
  EXPECT_EQ(again->plan.timeouts, TimeoutMode::kAdversarial);
  EXPECT_EQ(again->plan.volatiles, VolatileMode::kAcqRel);
  EXPECT_EQ(again->plan.waiters, WaiterMode::kFifo);
  EXPECT_EQ(again->racy, sample().racy);
  ASSERT_EQ(again->prefix.size(), 2u);
  EXPECT_EQ(again->prefix[1].thread, kDataChoice | 1u);
}

TEST(SeedString, IsShortWhenThePolicyDecides) {
  SeedString seed;
  seed.plan.policy.kind = PolicyKind::kPos;
  seed.plan.policy.seed = 4711;
  EXPECT_LT(write_seed_string(seed).size(), 48u);
}

TEST(SeedString, ErrorsAreUsageErrors) {
  const std::string good = write_seed_string(sample());
  for (const std::string& text : {std::string("rv2:AAAA"), std::string("rv1:"), std::string("rv1:!!!!"), good + "A",
                                  good.substr(0, good.size() - 1), "rv1:" + good.substr(5)}) {
    const auto seed = parse_seed_string(text);
    ASSERT_FALSE(seed) << text;
    EXPECT_EQ(seed.error().kind, ErrorKind::kUsage);
  }
}

TEST(SeedString, IsToldFromAFileName) {
  EXPECT_TRUE(looks_like_seed_string("rv1:AAAA"));
  EXPECT_TRUE(looks_like_seed_string("rv9:AAAA"));
  EXPECT_FALSE(looks_like_seed_string(".ravel/bank-1.plan"));
  EXPECT_FALSE(looks_like_seed_string("rv"));
}

RC_GTEST_PROP(SeedStringProperty, RoundTrip, ()) {
  SeedString seed;
  seed.build_tag = *rc::gen::arbitrary<std::uint32_t>();
  seed.plan.policy.kind = static_cast<PolicyKind>(*rc::gen::inRange(0, 5));
  seed.plan.policy.seed = *rc::gen::arbitrary<std::uint64_t>();
  seed.plan.policy.length = *rc::gen::arbitrary<std::uint32_t>();
  seed.plan.max_steps = *rc::gen::arbitrary<std::uint64_t>();
  seed.plan.data_seed = *rc::gen::arbitrary<std::uint64_t>();
  seed.plan.explore_call = *rc::gen::arbitrary<std::uint32_t>();
  for (const std::uint32_t place : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) seed.racy.push_back(place);
  const int segments = *rc::gen::inRange(0, 10);
  for (int i = 0; i < segments; ++i) {
    const std::uint32_t data = *rc::gen::arbitrary<bool>() ? kDataChoice : 0u;
    seed.prefix.push_back(
        {*rc::gen::inRange<std::uint32_t>(0, 1u << 30) | data, *rc::gen::inRange<std::uint32_t>(1, 1u << 31)});
  }
  const std::string text = write_seed_string(seed);
  const auto again = parse_seed_string(text);
  RC_ASSERT(again.has_value());
  RC_ASSERT(write_seed_string(*again) == text);
  RC_ASSERT(again->racy == seed.racy && again->plan.policy.seed == seed.plan.policy.seed);
  RC_ASSERT(again->plan.data_seed == seed.plan.data_seed && again->plan.explore_call == seed.plan.explore_call);
  RC_ASSERT(again->plan.max_steps == seed.plan.max_steps && again->prefix.size() == seed.prefix.size());
}

// 16 bits of checksum: a damaged string is taken for good about once in 65536 times.
TEST(SeedString, SurvivesDamage) {
  const std::string good = write_seed_string(sample());
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    const std::size_t at = 4 + random() % (text.size() - 4);
    const char old = text[at];
    text[at] = static_cast<char>(random());
    if (text[at] != old && parse_seed_string(text)) ++accepted;
  }
  EXPECT_LE(accepted, 5);
}

}  // namespace
}  // namespace ravel
