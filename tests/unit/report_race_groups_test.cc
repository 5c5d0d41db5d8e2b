// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/race_groups.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

Finding race(std::string message, std::string object, std::string functions) {
  Finding finding;
  finding.kind = OutcomeKind::kDataRace;
  finding.message = finding.identity = std::move(message);
  finding.sides.object = std::move(object);
  finding.sides.functions = std::move(functions);
  return finding;
}

std::vector<std::string> messages(const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  for (const Finding& finding : findings) out.push_back(finding.message + (finding.folded_into.empty() ? "" : "*"));
  return out;
}

using Words = std::vector<std::string>;

TEST(RaceGroups, OneObjectOrOnePairOfFunctionsIsOneCause) {
  std::vector<Finding> findings = {race("a", "stats", "f / g"), race("b", "other", "h / h"),
                                   race("c", "stats", "g / k"), race("d", "block", "g / k")};
  group_races(findings);
  EXPECT_EQ(messages(findings), (Words{"a", "c*", "d*", "b"}));
  EXPECT_EQ(findings[0].folds, (Words{"c", "d"}));
  EXPECT_TRUE(findings[3].folds.empty());
}

TEST(RaceGroups, TheMostTellingOneLeads) {
  std::vector<Finding> findings = {race("plain", "x", ""), race("writes", "x", ""), race("named", "x", ""),
                                   race("locked", "x", "")};
  findings[1].sides.both_write = true;
  findings[2].sides.named = true;
  findings[3].sides.one_locked = true;
  group_races(findings);
  EXPECT_EQ(messages(findings), (Words{"locked", "plain*", "writes*", "named*"}));
  findings.erase(findings.begin());
  group_races(findings);
  EXPECT_EQ(messages(findings), (Words{"named", "plain*", "writes*"}));
}

TEST(RaceGroups, OtherFindingsAndOtherCallsOfExploreStayApart) {
  std::vector<Finding> findings = {race("a", "x", ""), race("b", "x", ""), race("guess", "x", "")};
  findings[1].explore_call = 2;
  findings[2].detector = "eraser";
  Finding failure;
  failure.kind = OutcomeKind::kAssertion;
  failure.message = "fails";
  findings.push_back(failure);
  const std::vector<std::size_t> order = group_races(findings);
  EXPECT_EQ(messages(findings), (Words{"fails", "a", "b", "guess"}));
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 0, 1, 2}));
}

// Nothing is known of two races: that is no reason to call them one.
TEST(RaceGroups, WithoutNamesNothingIsFolded) {
  std::vector<Finding> findings = {race("a", "", ""), race("b", "", "")};
  group_races(findings);
  EXPECT_EQ(messages(findings), (Words{"a", "b"}));
}

}  // namespace
}  // namespace ravel
