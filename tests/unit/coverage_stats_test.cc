// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Numbers about coverage, by hand and on simulated campaigns whose totals are known; files of coverage.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "cover/saturation.h"
#include "report/coverage_diff.h"
#include "report/coverage_file.h"
#include "report/coverage_stats.h"
#include "report/suspects.h"

namespace ravel {
namespace {

TaskCoverage parsed(const std::string& text) {
  auto coverage = parse_coverage("ravel-coverage 1\n" + text + "end\n", "test");
  EXPECT_TRUE(coverage.has_value()) << (coverage ? "" : coverage.error().line());
  return coverage ? *coverage : TaskCoverage{};
}

constexpr char kToy[] = "metric sync\nrun a b\nrun a c\nrun a b\nrun a\nrun a d\nrun a b\n";

TEST(CoverageStatistics, OfTheToy) {
  const auto all = stats_of(parsed(kToy));
  ASSERT_EQ(all.size(), 1u);
  const CoverageStats& toy = all[0];
  EXPECT_EQ(toy.tasks, 4u);
  EXPECT_NEAR(toy.average, 0.458, 0.0005);
  EXPECT_EQ(toy.curve, (std::vector<std::uint64_t>{2, 3, 3, 3, 4, 4}));
  EXPECT_NEAR(toy.smooth, 0.5, 1e-9);
  EXPECT_EQ(toy.once, 2u);
  EXPECT_EQ(toy.twice, 0u);
  EXPECT_NEAR(toy.next_tasks, 0.333, 0.0005);
  EXPECT_NEAR(toy.chance, 0.333, 0.0005);
  EXPECT_NEAR(toy.bound, 0.729, 0.0005);
  EXPECT_NEAR(toy.chao2, 4.83, 0.005);
  EXPECT_EQ(toy.last_new, 5u);
}

TEST(CoverageStatistics, SeriesOfFullLengthHaveTheSameTotal) {
  const auto all = stats_of_series(parsed(kToy), 100, 6, 1);
  EXPECT_NEAR(all[0].total, 4, 1e-9);
  EXPECT_NEAR(all[0].average, 0.458, 0.0005);
}

TEST(CoverageStatistics, TheBoundOfNoSuccess) {
  EXPECT_NEAR(clopper_pearson(0, 300), 1 - std::pow(0.05, 1.0 / 300), 1e-12);
  EXPECT_EQ(clopper_pearson(6, 6), 1);
}

// The engine's test of the bound, without libm, agrees with the tool's.
TEST(CoverageStatistics, EngineAndToolAgreeOnTheBound) {
  for (const std::uint64_t n : {20u, 59u, 298u, 299u, 1000u, 5000u}) {
    for (const std::uint64_t k : {0u, 1u, 2u, 5u, 17u}) {
      for (const double p : {0.5, 0.1, 0.01, 0.002}) {
        if (k >= n || static_cast<double>(n) * p > 500) continue;
        EXPECT_EQ(chance_is_below(k, n, p), clopper_pearson(k, n) <= p) << n << " " << k << " " << p;
        for (const std::uint64_t twice : {0u, 1u, 9u}) {
          EXPECT_EQ(news_is_below(k, twice, n, p), bound_of_news(k, twice, n) <= p)
              << n << " " << k << " " << p << " " << twice;
        }
      }
    }
  }
  EXPECT_FALSE(chance_is_below(990, 100'000, 0.01));
  EXPECT_TRUE(chance_is_below(500, 100'000, 0.01));
}

// Campaigns of executions drawn alike: what the next one shows new with which chance is known exactly. The bound may be
// below it in one of twenty campaigns.
TEST(CoverageStatistics, TheBoundHoldsInNineteenOfTwentyCampaigns) {
  Random random(7);
  int held = 0;
  constexpr int kCampaigns = 1000;
  for (int campaign = 0; campaign < kCampaigns; ++campaign) {
    const std::uint64_t kinds = 5 + random.below(60);
    std::vector<std::uint64_t> weight;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < kinds; ++i) sum += weight.emplace_back(1 + random.below(i % 7 == 0 ? 200 : 10));
    std::string text = "metric sync\n";
    std::vector<bool> seen(kinds);
    const std::uint64_t n = 30 + random.below(200);
    for (std::uint64_t i = 0; i < n; ++i) {
      std::uint64_t at = random.below(sum);
      std::size_t kind = 0;
      while (at >= weight[kind]) at -= weight[kind++];
      seen[kind] = true;
      text += "run t" + std::to_string(kind) + "\n";
    }
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < kinds; ++i) rest += seen[i] ? 0 : weight[i];
    held += static_cast<double>(rest) / static_cast<double>(sum) <= stats_of(parsed(text))[0].bound;
  }
  EXPECT_GE(held, kCampaigns * 95 / 100);
}

TEST(Suspects, ATaskOfTheFailuresComesFirst) {
  const TaskCoverage coverage =
      parsed("metric sync\nrun a b\nrun a\nrun a b\nrun a\nrun failed a c b\nrun failed a c\nrun failed a c b\n");
  const auto found = suspects_of(coverage, 10);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].task, "c");
  EXPECT_EQ(found[0].failing_with, 3u);
  EXPECT_EQ(found[0].passing_with, 0u);
  // Three of three failing executions among seven: 1 / C(7,3), times three tasks.
  EXPECT_NEAR(found[0].p, 3.0 / 35, 1e-9);
  for (const SuspectLine& line : found) EXPECT_NE(line.task, "a");
}

TEST(Suspects, OneSidedTailByHand) {
  // Urn of 3 failing and 5 passing, 4 drawn: at least 2 failing.
  EXPECT_NEAR(fisher(2, 4, 3, 5), (3.0 * 10 + 1 * 5) / 70, 1e-12);
  EXPECT_NEAR(fisher(0, 4, 3, 5), 1, 1e-12);
}

TEST(CoverageFile, ReadsWhatItWrites) {
  const TaskCoverage one = parsed(std::string(kToy) + "run failed a\nrun failed a\n");
  const std::string text = coverage_text(one);
  const auto again = parse_coverage(text, "again");
  ASSERT_TRUE(again.has_value()) << again.error().line();
  EXPECT_EQ(coverage_text(*again), text);
  EXPECT_EQ(again->runs.size(), 8u);
  EXPECT_TRUE(again->runs[7].failed);
}

TEST(CoverageFile, HostileNamesAreWords) {
  TaskCoverage coverage = parsed("metric sync\nrun a\n");
  coverage.names[0].text = "a b\n\x1b[31m%";
  coverage.program = "";
  const auto again = parse_coverage(coverage_text(coverage), "again");
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->names[0].text, coverage.names[0].text);
}

TEST(CoverageFile, RefusesWhatIsNotOne) {
  for (const std::string text : {"", "hello\n", "ravel-coverage 99\nend\n", "ravel-coverage 1\nmetric sync\nrun a\n",
                                 "ravel-coverage 1\nset 4\nend\n", "ravel-coverage 1\nruns 0\nend\n",
                                 "ravel-coverage 1\ntask sync lock 0 1\nend\n", "ravel-coverage 1\nrun a\nend\n",
                                 "ravel-coverage 1\nmetric nosuch\nend\n", "ravel-coverage 1\nname a%4\nend\n"}) {
    EXPECT_FALSE(parse_coverage(text, "bad").has_value()) << text;
  }
  EXPECT_NE(parse_coverage("ravel-coverage 99\nend\n", "x").error().line().find("newer"), std::string::npos);
  EXPECT_NE(parse_coverage("ravel-coverage 1\n", "x").error().line().find("truncated"), std::string::npos);
}

// Every prefix and every flipped byte is read or refused, never followed astray.
TEST(CoverageFile, SurvivesDamage) {
  const std::string text = coverage_text(parsed(kToy));
  for (std::size_t i = 0; i < text.size(); ++i) {
    (void)parse_coverage(text.substr(0, i), "cut");
    for (const char c : {'\0', ' ', '9', '%', '-', '\n'}) {
      std::string other = text;
      other[i] = c;
      (void)parse_coverage(other, "changed");
    }
  }
}

TEST(CoverageDifference, TellsLostFromGone) {
  const std::string names = "name a.cpp:3 f+1:1.1 f()\nname a.cpp:9 g+1:1.1 g()\n";
  const std::string tasks = "task place 0\ntask place 1\n";
  const TaskCoverage before = parsed("function f() 5\nfunction g() 6\n" + names + tasks + "set 0 1\nruns 0x3\n");
  EXPECT_TRUE(difference_of(before, before).empty());
  // Only runs decide what is covered: a task that is listed and in no set is lost.
  const TaskCoverage lost = parsed("function f() 5\nfunction g() 6\n" + names + tasks + "set 1\nruns 0\n");
  auto difference = difference_of(before, lost);
  ASSERT_EQ(difference.size(), 1u);
  ASSERT_EQ(difference[0].lost.size(), 1u);
  EXPECT_EQ(difference[0].lost[0].task, "a.cpp:3");
  EXPECT_NEAR(difference[0].lost[0].share, 1, 1e-9);
  const TaskCoverage changed = parsed("function f() 7\nfunction g() 6\n" + names + "task place 1\nset 0\nruns 0\n");
  difference = difference_of(before, changed);
  EXPECT_EQ(difference[0].lost.size(), 0u);
  EXPECT_EQ(difference[0].gone, 1u);
  const TaskCoverage unread = parsed("function f() 0\nfunction g() 6\n" + names + "task place 1\nset 0\nruns 0\n");
  EXPECT_EQ(difference_of(before, unread)[0].unknown, 1u);
  EXPECT_EQ(difference_of(lost, before)[0].fresh, 1u);
  EXPECT_EQ(difference_of(changed, before)[0].fresh_in_new, 1u);
}

}  // namespace
}  // namespace ravel
