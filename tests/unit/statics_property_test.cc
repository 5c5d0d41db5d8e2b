// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Conditions as distances on values in memory: against the meaning of each comparison, and of text that is none.
#include <gtest/gtest.h>

#include <cstring>

#include "statics/property.h"

namespace ravel {
namespace {

struct Memory {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int64_t wide = 0;
  std::uint8_t flag = 0;
};

const VariablePlaces kVariables = {{"x", {offsetof(Memory, x), 4}},
                                   {"ns::y", {offsetof(Memory, y), 4}},
                                   {"wide", {offsetof(Memory, wide), 8}},
                                   {"flag", {offsetof(Memory, flag), 1}}};

std::uint32_t distance(const char* condition, bool holds, const Memory& memory) {
  const auto steps = property_of(condition, holds, kVariables);
  EXPECT_TRUE(steps.has_value()) << condition;
  return steps ? property_distance(*steps, reinterpret_cast<const unsigned char*>(&memory)) : 0;
}

TEST(Property, CountsWhatIsMissing) {
  EXPECT_EQ(distance("x > 6", true, {4, 0, 0, 0}), 3u);
  EXPECT_EQ(distance("x > 6", true, {7, 0, 0, 0}), 0u);
  EXPECT_EQ(distance("x > 6", false, {9, 0, 0, 0}), 3u);
  EXPECT_EQ(distance("x <= ns::y", false, {2, 7, 0, 0}), 6u);
  EXPECT_EQ(distance("x == -3", true, {1, 0, 0, 0}), 4u);
  EXPECT_EQ(distance("(x + ns::y) >= wide", true, {1, 2, 10, 0}), 7u);
  EXPECT_EQ(distance("flag != 0", true, {0, 0, 0, 0}), 1u);
  EXPECT_EQ(distance("flag", true, {0, 0, 0, 1}), 0u);
  EXPECT_EQ(distance("!flag", true, {0, 0, 0, 1}), 1u);
}

// 0 exactly when the condition has the wanted value; nearer values have no larger distance.
TEST(Property, IsZeroExactlyWhenItHolds) {
  for (const char* sign : {"<", "<=", ">", ">=", "==", "!="}) {
    for (int x = -4; x <= 4; ++x) {
      for (int y = -4; y <= 4; ++y) {
        const std::string text = std::string("x ") + sign + " ns::y";
        const std::string_view s = sign;
        const bool truth = s == "<"    ? x < y
                           : s == "<=" ? x <= y
                           : s == ">"  ? x > y
                           : s == ">=" ? x >= y
                           : s == "==" ? x == y
                                       : x != y;
        EXPECT_EQ(distance(text.c_str(), true, {x, y, 0, 0}) == 0, truth) << text << " " << x << " " << y;
        EXPECT_EQ(distance(text.c_str(), false, {x, y, 0, 0}) == 0, !truth) << text << " " << x << " " << y;
      }
    }
  }
}

TEST(Property, LargeValuesDoNotOverflow) {
  EXPECT_EQ(distance("wide > 0", true, {0, 0, INT64_MIN, 0}), kFarthestProperty);
  EXPECT_EQ(distance("wide < 0", true, {0, 0, INT64_MAX, 0}), kFarthestProperty);
}

TEST(Property, WhatCannotBeEvaluatedIsNone) {
  for (const char* text : {"", "x >", "> 6", "x > 6 7", "local of main+8 != 0", "heap@a.cpp:3 == 0", "6 > 5",
                           "(x + 1 > 3", "x ~ 3", "((((((((((x"}) {
    EXPECT_FALSE(property_of(text, true, kVariables).has_value()) << text;
  }
  const PropertyStep broken[] = {{PropertyOp::kBoth, 0, 0, 0}};
  const Memory memory;
  EXPECT_EQ(property_distance(broken, reinterpret_cast<const unsigned char*>(&memory)), kFarthestProperty);
  EXPECT_EQ(property_distance({}, nullptr), kFarthestProperty);
}

// Two branches before a failing node must both be left by its side.
TEST(Property, ConditionsBeforeATargetAddUp) {
  Facts facts;
  facts.classes.emplace_back();
  facts.graph.functions = {{"main", 0}};
  facts.graph.entries = {{0}};
  for (unsigned i = 0; i < 4; ++i) {
    GraphNode node;
    node.place = {"/a.cpp", i + 1, 1};
    if (i < 3) node.next = {i + 1, 3};
    facts.graph.nodes.push_back(node);
  }
  facts.graph.nodes[0].condition = "x > 6";
  facts.graph.nodes[1].condition = "flag != 0";
  facts.graph.nodes[1].control = {{0, 0}};
  facts.graph.nodes[2].control = {{1, 1}};
  const Properties steps = property_before(facts, {{2}}, kVariables);
  ASSERT_FALSE(steps.empty());
  const auto at = [&](const Memory& memory) {
    return property_distance(steps, reinterpret_cast<const unsigned char*>(&memory));
  };
  EXPECT_EQ(at({7, 0, 0, 0}), 0u);
  EXPECT_EQ(at({5, 0, 0, 0}), 2u);
  EXPECT_EQ(at({5, 0, 0, 1}), 3u);
}

}  // namespace
}  // namespace ravel
