// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Suppressions: the grammar, what a pattern is looked for in, and what is said of those that match nothing.
#include "report/suppressions.h"

#include <gtest/gtest.h>

#include "model/text/trace_text.h"
#include "report/trace_import.h"

namespace ravel {
namespace {

TEST(Suppressions, Patterns) {
  EXPECT_TRUE(matches_pattern("push", "queue::push(int)"));
  EXPECT_TRUE(matches_pattern("queue*int", "my::queue::push(int)"));
  EXPECT_TRUE(matches_pattern("^my::*(int)$", "my::queue::push(int)"));
  EXPECT_FALSE(matches_pattern("^queue", "my::queue::push(int)"));
  EXPECT_FALSE(matches_pattern("push$", "queue::push(int)"));
  EXPECT_FALSE(matches_pattern("push*pop", "pop push"));
  EXPECT_TRUE(matches_pattern("*", "anything"));
}

TEST(Suppressions, LinesThatAreNone) {
  Suppressions list;
  EXPECT_TRUE(list.add_text("# comment\n\n  race:f \nlost-signal:*\nlock-order:x", "a.txt", false));
  ASSERT_EQ(list.all().size(), 3u);
  EXPECT_EQ(list.all()[0].pattern, "f");
  const auto no_pattern = list.add_text("race:f\nrace:\n", "b.txt", false);
  ASSERT_FALSE(no_pattern);
  EXPECT_NE(no_pattern.error().line().find("b.txt:2"), std::string::npos) << no_pattern.error().line();
  EXPECT_FALSE(list.add_text("race\n", "c.txt", false));
  EXPECT_FALSE(list.add_text("completed:f\n", "d.txt", false));
  EXPECT_FALSE(list.add_text("rice:f\n", "e.txt", false));
  EXPECT_FALSE(list.add_file("/nowhere/at/all", false));
}

TEST(Suppressions, LeavesOutWhatMatchesAndSaysWhatDoesNot) {
  Symbolizer symbolizer;
  auto trace = parse_trace(
      "main create T1 @ a.cpp:1\nT1 write x 4 @ a.cpp:2\nmain write x 4 @ b.cpp:3\nmain write y 4 @ b.cpp:4\n");
  ASSERT_TRUE(trace);
  ExecutionRecord record = record_of(*trace, symbolizer);
  record.races.resize(2);
  record.races[0].first = record.events[1];
  record.races[0].second = record.events[2];
  record.races[1].first = record.events[3];
  record.races[1].second = record.events[3];
  Names names(record, symbolizer);
  Suppressions list;
  ASSERT_TRUE(list.add_text("race:a.cpp\nrace:nothing\ndeadlock:b.cpp\n", "s.txt", false));
  ASSERT_TRUE(list.add_text("race:shipped\n", "shipped.txt", true));
  list.leave_out(record, names);
  ASSERT_EQ(record.races.size(), 1u);
  EXPECT_EQ(record.races[0].first.location, record.events[3].location);
  std::string notes;
  for (const std::string& note : list.notes()) notes += note + "\n";
  EXPECT_NE(notes.find("left out by race:a.cpp"), std::string::npos) << notes;
  EXPECT_NE(notes.find("race:nothing (s.txt:2) matched nothing"), std::string::npos) << notes;
  EXPECT_EQ(notes.find("shipped"), std::string::npos) << notes;
  EXPECT_TRUE(list.concerns_outcomes());

  record.outcome = OutcomeKind::kDeadlock;
  record.waiting.resize(1);
  record.waiting[0].location = record.events[3].location;
  EXPECT_TRUE(list.covers_outcome(names));
  record.outcome = OutcomeKind::kAssertion;
  EXPECT_FALSE(list.covers_outcome(names));
}

}  // namespace
}  // namespace ravel
