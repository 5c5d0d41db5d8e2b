// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include <random>

#include "model/text/value_schedule.h"

namespace ravel {
namespace {

ValuesFile parsed(const std::string& text) {
  auto file = parse_values(text, "t.values");
  EXPECT_TRUE(file) << (file ? "" : file.error().line());
  return file ? *file : ValuesFile{};
}
std::string complaint(const std::string& text) {
  auto file = parse_values(text, "t.values");
  return file ? "" : file.error().line();
}
std::string complaint_about(const std::string& order) {
  return complaint("ravel-values 1\nthread setter main.2\norders\n" + order + "\n");
}

constexpr char kAccounts[] =
    "ravel-values 1\n"
    "program \"./accounts\"  # as the shell would find it\n"
    "arg \"two words\"\n"
    "thread T1 main.1\n"
    "orders\n"
    "T1 read X.val accounts.cpp:9 -> main.2 write X.val accounts.cpp:14\n"
    "main.2 write accounts.cpp:14 #3 ->def T1 read \"a b\" accounts.cpp:9 #2 from bank.cpp:40\n"
    "T1 lock X.m accounts.cpp:8 ->acq main.2 lock X.m accounts.cpp:13\n"
    "expect infeasible at 2\n";

TEST(ValuesText, ReadsWhatAPersonWrites) {
  const ValuesFile file = parsed(kAccounts);
  EXPECT_EQ(file.program, "./accounts");
  ASSERT_EQ(file.orders.size(), 3u);
  EXPECT_EQ(file.orders[0].first, (ValueAccess{"T1", OpKind::kRead, "X.val", {"accounts.cpp", 9}, {}, 1}));
  EXPECT_EQ(file.orders[1].first, (ValueAccess{"main.2", OpKind::kWrite, "", {"accounts.cpp", 14}, {}, 3}));
  EXPECT_EQ(file.orders[1].second, (ValueAccess{"T1", OpKind::kRead, "a b", {"accounts.cpp", 9}, {"bank.cpp", 40}, 2}));
  EXPECT_EQ(file.orders[1].relation, ValueRelation::kDefines);
  EXPECT_EQ(file.orders[2].relation, ValueRelation::kHandsOn);
  EXPECT_EQ(file.orders[2].line, 8u);
  EXPECT_EQ(file.expect.at, 2u);
  EXPECT_EQ(lineage_meant(file, "T1"), "main.1");
}

TEST(ValuesText, WritesWhatItReads) {
  const std::string written = write_values(parsed(kAccounts));
  EXPECT_EQ(write_values(parsed(written)), written);
}

TEST(ValuesText, MistakesHaveAPlace) {
  EXPECT_EQ(complaint(""), "t.values:1:1: expected `ravel-values 1': found the end of the file");
  EXPECT_EQ(complaint("ravel-values 2\n"), "t.values:1:14: expected version 1: found \"2\"");
  EXPECT_EQ(complaint("ravel-values 1\nprogramm \"x\"\n"),
            "t.values:2:1: expected a statement: found \"programm\"; did you mean `program'?");
  EXPECT_NE(complaint_about("setter read a.cpp:1 -> main.1").find("t.values:4:30: expected an operation"),
            std::string::npos);
  EXPECT_NE(complaint_about("settr read a.cpp:1 -> main.1 write a.cpp:2").find("did you mean `setter'?"),
            std::string::npos);
  EXPECT_NE(complaint_about("main.1 reads a.cpp:1 -> setter write a.cpp:2").find("`read'"), std::string::npos);
  EXPECT_NE(complaint_about("main.1 read a.cpp -> setter write a.cpp:2").find(":4:13: expected FILE:LINE"),
            std::string::npos);
  EXPECT_NE(complaint_about("main.1 read a.cpp:1 #0 -> setter write a.cpp:2").find("#N, from 1"), std::string::npos);
  EXPECT_NE(complaint_about("main.1 read a.cpp:1 -> main.1 write a.cpp:2").find("another thread"), std::string::npos);
  EXPECT_NE(complaint_about("main.2 read a.cpp:1 -> setter write a.cpp:2").find("another thread"), std::string::npos);
  EXPECT_NE(complaint_about("main.1 read a.cpp:1 ->def setter read a.cpp:2").find("a write before `->def'"),
            std::string::npos);
  EXPECT_NE(complaint_about("main.1 lock a.cpp:1 ->acq setter write a.cpp:2").find("take a lock"), std::string::npos);
  EXPECT_NE(complaint_about("main.1 signal a.cpp:1 ->wakes setter lock a.cpp:2").find("a signal before `->wakes'"),
            std::string::npos);
  EXPECT_EQ(complaint_about("main.1 signal a.cpp:1 ->wakes setter reacquire a.cpp:2"), "");
  EXPECT_NE(complaint_about("main.1 lock a.cpp:1 => setter lock a.cpp:2").find("`->', `->def', `->acq' or `->wakes'"),
            std::string::npos);
  EXPECT_NE(complaint("ravel-values 1\norders\nexpect infeasible at 3\n").find("t.values:3:1"), std::string::npos);
}

TEST(ValuesText, ACycleIsShown) {
  const std::string two = complaint_about(
      "main.1 read x a.cpp:1 -> setter write x a.cpp:2\n"
      "setter write x a.cpp:2 -> main.1 read x a.cpp:1");
  EXPECT_NE(two.find("t.values:5:1"), std::string::npos) << two;
  EXPECT_NE(two.find("a cycle: main.1 read x a.cpp:1 -> setter write x a.cpp:2 -> main.1 read x a.cpp:1"),
            std::string::npos)
      << two;
  // Instances of one access come in the order of the program.
  const std::string through_program = complaint_about(
      "main.1 write x a.cpp:1 #2 -> setter write x a.cpp:2\n"
      "main.2 write x a.cpp:2 -> main.1 write x a.cpp:1");
  EXPECT_NE(through_program.find("a cycle"), std::string::npos) << through_program;
  EXPECT_EQ(complaint_about("main.1 write x a.cpp:1 -> setter write x a.cpp:2\n"
                            "setter write x a.cpp:2 -> main.1 write x a.cpp:1 #2"),
            "");
}

TEST(ValuesText, LinesAreComparedByTheEndOfTheirPath) {
  EXPECT_TRUE(is_same_line({"bank.cpp", 4}, {"/src/bank.cpp", 4}));
  EXPECT_TRUE(is_same_line({"/src/bank.cpp", 4}, {"src/bank.cpp", 4}));
  EXPECT_FALSE(is_same_line({"bank.cpp", 4}, {"/src/x_bank.cpp", 4}));
  EXPECT_FALSE(is_same_line({"bank.cpp", 4}, {"bank.cpp", 5}));
}

// What is accepted survives being written; nothing else happens.
TEST(ValuesText, SurvivesDamage) {
  std::mt19937 random(7);
  unsigned accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = kAccounts;
    for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.erase(at, 1 + random() % 4);
          break;
        case 1:
          text[at] = static_cast<char>(random() % 256);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 12));
      }
      if (text.empty()) text = "\n";
    }
    const auto file = parse_values(text, "damaged");
    if (!file) {
      EXPECT_FALSE(file.error().line().empty());
      continue;
    }
    ++accepted;
    const std::string written = write_values(*file);
    const auto again = parse_values(written, "again");
    ASSERT_TRUE(again) << written << again.error().line();
    EXPECT_EQ(write_values(*again), written);
  }
  EXPECT_GT(accepted, 100u);
}

}  // namespace
}  // namespace ravel
