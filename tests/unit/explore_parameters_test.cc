// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Parameters of strategies go by their tables, and rows say what strategies are.
#include <gtest/gtest.h>

#include <memory_resource>
#include <string>

#include "explore/strategy_table.h"

namespace ravel {
namespace {

using Kind = ParameterProblem::Kind;

constexpr std::string_view kColours[] = {"red", "green", "blue"};
constexpr Parameter kTable[] = {
    {.name = "size", .initial = 7, .least = 2, .most = 9, .help = "a number"},
    {.name = "colour", .type = ParameterType::kWord, .initial = 1, .words = kColours, .help = "a word"},
    {.name = "limit", .initial = kNoLimit, .help = "a number without a limit"},
};

Kind parse(std::string_view text, ParameterValues* out = nullptr) {
  ParameterValues values;
  const ParameterProblem problem = parse_parameters(kTable, text, values);
  if (out != nullptr) *out = values;
  return problem.kind;
}

TEST(Parameters, DefaultsAreTheTables) {
  ParameterValues values;
  ASSERT_EQ(parse("", &values), Kind::kNone);
  EXPECT_EQ(values["size"], 7u);
  EXPECT_EQ(values["colour"], 1u);
  EXPECT_EQ(values["limit"], kNoLimit);
  for (const Parameter& parameter : kTable) EXPECT_FALSE(values.is_given(parameter.name));
}

TEST(Parameters, ValuesInAnyOrder) {
  ParameterValues values;
  ASSERT_EQ(parse("colour=blue,size=2", &values), Kind::kNone);
  EXPECT_EQ(values["size"], 2u);
  EXPECT_EQ(values["colour"], 2u);
  EXPECT_TRUE(values.is_given("size"));
  EXPECT_FALSE(values.is_given("limit"));
}

TEST(Parameters, EveryMistakeHasItsName) {
  for (const char* text :
       {"size=1", "size=10", "size=x", "size=", "size=-3", "colour=pink", "colour=1", "limit=9999999999"}) {
    EXPECT_EQ(parse(text), Kind::kBadValue) << text;
  }
  EXPECT_EQ(parse("weight=3"), Kind::kUnknown);
  EXPECT_EQ(parse("size=3,weight"), Kind::kUnknown);
  EXPECT_EQ(parse("size"), Kind::kNoValue);
  EXPECT_EQ(parse("size=3,colour=red,size=4"), Kind::kTwice);
  EXPECT_EQ(parse(","), Kind::kUnknown);
}

// The tables of the strategies themselves: each default is a value, and every strategy can be made with it.
TEST(Parameters, OfStrategiesAreSound) {
  for (const StrategyRow& row : strategy_table()) {
    for (const Parameter& parameter : row.parameters) {
      EXPECT_FALSE(parameter.help.empty()) << row.name;
      const bool word = parameter.type == ParameterType::kWord;
      EXPECT_EQ(word, !parameter.words.empty()) << row.name << " " << parameter.name;
      if (word) {
        EXPECT_LT(parameter.initial, parameter.words.size());
        continue;
      }
      EXPECT_LE(parameter.least, parameter.most);
      EXPECT_TRUE(parameter.initial == kNoLimit || parameter.initial == kDrawn ||
                  (parameter.initial >= parameter.least && parameter.initial <= parameter.most))
          << row.name << " " << parameter.name;
    }
  }
}

TEST(Parameters, BoundsExcludeEachOther) {
  std::pmr::monotonic_buffer_resource memory;
  StrategyProblem problem;
  EXPECT_EQ(open_strategy("bounded,preemptions=1,delays=1", memory, {}, problem).strategy, nullptr);
  EXPECT_FALSE(problem.error.empty());
}

// open_strategy() checks that the roles are those of the row; and nothing incomplete is called everything.
TEST(Strategies, RowsSayWhatTheyAre) {
  for (const char* name : {"portfolio", "pct", "dfs", "bounded", "clock-vector", "sharing", "best-first"}) {
    std::pmr::monotonic_buffer_resource memory;
    StrategyProblem problem;
    const StrategyParts parts = open_strategy(name, memory, {}, problem);
    ASSERT_NE(parts.strategy, nullptr) << name;
    const SearchVerdict verdict = parts.strategy->verdict(0);
    EXPECT_FALSE(verdict.complete) << name;
    EXPECT_FALSE(verdict.kept) << name;
    EXPECT_EQ(verdict.bounds, 0u) << name;
  }
  EXPECT_EQ(find_strategy("sharing")->coverage, Coverage::kBounded);
  EXPECT_EQ(find_strategy("dpor,sets=source")->coverage, Coverage::kEverything);
  EXPECT_FALSE(find_strategy("best-first")->promises());
  EXPECT_TRUE(can_share_a_tree("dpor"));
  EXPECT_TRUE(can_share_a_tree("dpor,sets=optimal"));
  EXPECT_FALSE(can_share_a_tree("dpor,sets=source"));
  EXPECT_FALSE(can_share_a_tree("dfs"));
}

TEST(Strategies, OnPlansNeedOne) {
  for (const char* name : {"minimise", "explain", "nearby"}) {
    StrategyProblem problem;
    EXPECT_EQ(open_strategy(name, *std::pmr::null_memory_resource(), {}, problem).strategy, nullptr);
    EXPECT_NE(problem.error.find("works on a plan"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace ravel
