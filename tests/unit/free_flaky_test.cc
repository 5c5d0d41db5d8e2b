// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lists of tests, blame of noise, which failures are the same, saved runs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "investigate/noise_blame.h"
#include "investigate/pin.h"
#include "investigate/run_file.h"
#include "investigate/test_list.h"
#include "report/suspects.h"

namespace ravel {
namespace {

std::string listed(TestFramework framework, std::string_view answer) {
  std::string text;
  for (const ListedTest& test : parse_test_list(framework, answer)) text += test.name + " = " + test.selection + "; ";
  return text;
}

TEST(TestList, GoogleTest) {
  EXPECT_EQ(listed(TestFramework::kGoogleTest,
                   "Running main() from gtest_main.cc\nQueue.\n  Close\n  DISABLED_Old\nAll/Sum.  # TypeParam = int\n"
                   "  Adds/0  # GetParam() = 3\n"),
            "Queue.Close = --gtest_filter=Queue.Close; All/Sum.Adds/0 = --gtest_filter=All/Sum.Adds/0; ");
}

TEST(TestList, Catch2AndDoctest) {
  EXPECT_EQ(listed(TestFramework::kCatch2, "  two deposits, checked\r\nplain [x]\n\n"),
            "two deposits, checked = two deposits\\, checked; plain [x] = plain \\[x\\]; ");
  EXPECT_EQ(
      listed(TestFramework::kDoctest, "[doctest] listing all test case names\n=====\none, two\n=====\n[doctest] 1\n"),
      "one, two = --test-case=one\\, two; ");
}

// 9 of 10 failing and 1 of 10 passing runs: Fisher's p is 101 / 184756, twice that for two places.
TEST(NoiseBlame, PlacesThatGoWithTheFailure) {
  constexpr std::size_t kPassing = ~std::size_t{0};
  const NoiseByPlace noised = {{"a.cpp:1", {{0, 9}, {kPassing, 1}}}, {"a.cpp:2", {{0, 5}, {kPassing, 5}}}};
  const auto blame = blame_of(noised, 0, 10, 10);
  ASSERT_EQ(blame.size(), 1u);
  EXPECT_EQ(blame[0].place, "a.cpp:1");
  EXPECT_NEAR(blame[0].p, 2 * 101.0 / 184756, 1e-9);
  EXPECT_TRUE(blame_of(noised, 1, 10, 10).empty());
}

TEST(Suspects, AnInterleavingInWords) {
  SuspectLine suspect;
  suspect.metric = "avio*";
  suspect.task = "queue.cpp:88 queue.cpp:91 queue.cpp:40 Queue::size";
  EXPECT_EQ(suspect_text(suspect), "queue.cpp:88 .. :91 with :40 between");
  suspect.task = "queue.cpp:88 queue.cpp:91 other.cpp:40 Queue::size";
  EXPECT_EQ(suspect_text(suspect), "queue.cpp:88 .. :91 with other.cpp:40 between");
  suspect.metric = "rf";
  suspect.task = "a.cpp:1 a.cpp:2";
  EXPECT_EQ(suspect_text(suspect), "rf a.cpp:1 a.cpp:2");
}

TEST(NoiseBlame, ListsOfPlaces) {
  EXPECT_TRUE(is_listed({"queue.cpp:8"}, "src/queue.cpp:8"));
  EXPECT_TRUE(is_listed({"queue.cpp:8"}, "queue.cpp:8"));
  EXPECT_FALSE(is_listed({"queue.cpp:8"}, "src/queue.cpp:88"));
  EXPECT_FALSE(is_listed({"queue.cpp:8"}, "my_queue.cpp:8"));
}

Finding found(OutcomeKind kind, const char* message, const char* place) {
  Finding finding;
  finding.kind = kind;
  finding.message = message;
  finding.location.text = place;
  return finding;
}

TEST(PinTarget, TheSameFailure) {
  const PinTarget target{OutcomeKind::kAssertion, "n == 2", "a.cpp:3", ""};
  EXPECT_TRUE(is_same_failure(target, found(OutcomeKind::kAssertion, "n == 2", "a.cpp:3")));
  EXPECT_FALSE(is_same_failure(target, found(OutcomeKind::kAssertion, "n == 2", "a.cpp:4")));
  EXPECT_FALSE(is_same_failure(target, found(OutcomeKind::kException, "n == 2", "a.cpp:3")));
  Finding named = found(OutcomeKind::kAssertion, "n == 2", "a.cpp:3");
  named.detector = "data-race";
  EXPECT_FALSE(is_same_failure(target, named));
  const PinTarget exited{OutcomeKind::kExitCode, "exit status 1", "", ""};
  EXPECT_TRUE(is_same_failure(exited, found(OutcomeKind::kExitCode, "exit status 1", "b.cpp:1")));
  EXPECT_FALSE(is_same_failure(exited, found(OutcomeKind::kExitCode, "exit status 2", "b.cpp:1")));
}

TEST(RunFile, ComesBack) {
  const std::string folder = testing::TempDir() + "ravel-runs";
  std::filesystem::remove_all(folder);
  const RunFile run{
      "/x/prog", {"a", "b c"}, "", "id", 7, {OutcomeKind::kDeadlock, "every \"thread\"", "a.cpp:1", "ravel-syn 1\n"}};
  const auto first = save_run(run, folder);
  const auto second = save_run(run, folder);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  const auto again = read_run(*second);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->arguments, run.arguments);
  EXPECT_EQ(again->expect_exit, 7);
  EXPECT_EQ(again->target.kind, OutcomeKind::kDeadlock);
  EXPECT_EQ(again->target.message, run.target.message);
  EXPECT_EQ(again->target.sequence, run.target.sequence);
  std::ofstream(*first) << "{\"ravel_run\": 1, \"program\": 3}";
  EXPECT_FALSE(read_run(*first));
  EXPECT_FALSE(read_run(folder + "/none.run"));
}

}  // namespace
}  // namespace ravel
