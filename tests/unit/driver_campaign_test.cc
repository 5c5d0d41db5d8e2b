// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a campaign's parts say, read from hand-made blocks and put together: jobs, calls, lives, shards.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <string>

#include "driver/block_result.h"
#include "driver/campaign_fields.h"
#include "driver/merge_results.h"
#include "driver/shared_memory.h"

namespace ravel {
namespace {

// Of a search that was done to its end.
CampaignResult finished(std::uint64_t executions) {
  CampaignResult one;
  one.executions = executions;
  one.executions_by_job = {executions};
  one.complete = one.promise_kept = true;
  one.estimate = {executions, executions, executions};
  one.isolation = Isolation::kRepeat;
  one.limits.uncontrolled.push_back({"open", "/proc/self/stat", 0, 1});
  return one;
}

FoundSeed seed(std::uint64_t key, std::uint64_t execution) {
  FoundSeed found;
  found.key = key;
  found.execution = execution;
  found.times_seen = 1;
  return found;
}

TEST(CampaignFields, NamesInJsonAreDifferent) {
  std::set<std::string> names;
  std::size_t rows = 0;
  for_each_field([&](const auto& field) {
    if constexpr (std::remove_cvref_t<decltype(field)>::in_json) {
      ++rows;
      EXPECT_TRUE(names.insert(field.name).second) << field.name;
    }
  });
  EXPECT_EQ(rows, names.size());
  EXPECT_GT(rows, 20u);
}

TEST(CampaignFields, EachRowIsOfAnotherMember) {
  CampaignResult result;
  std::set<const void*> members;
  for_each_field([&](const auto& field) {
    EXPECT_TRUE(members.insert(static_cast<const void*>(&(result.*field.member))).second);
  });
}

TEST(MergeCalls, WhatHoldsForEachHoldsForTheWhole) {
  CampaignResult sum;
  for (std::uint32_t call = 1; call <= 3; ++call) add_call(sum, finished(10 * call), call);
  EXPECT_TRUE(sum.complete);
  EXPECT_TRUE(sum.promise_kept);
  EXPECT_EQ(sum.executions, 60u);
  EXPECT_EQ(sum.executions_by_job, std::vector<std::uint64_t>{60});
  EXPECT_EQ(sum.estimate, (CampaignEstimate{60, 60, 60}));
  EXPECT_EQ(sum.isolation, Isolation::kRepeat);
  ASSERT_EQ(sum.limits.uncontrolled.size(), 1u);
  EXPECT_EQ(sum.limits.uncontrolled[0].times, 3u);
  ASSERT_EQ(sum.calls.size(), 3u);
  EXPECT_EQ(sum.calls[2].call, 3u);
}

TEST(MergeCalls, OneThatIsNotCompleteSpoilsIt) {
  for (std::uint32_t spoilt = 1; spoilt <= 3; ++spoilt) {
    CampaignResult sum;
    for (std::uint32_t call = 1; call <= 3; ++call) {
      CampaignResult one = finished(10);
      if (call == spoilt) {
        one.complete = one.promise_kept = false;
        one.estimate = {};
        one.isolation = Isolation::kFork;
        one.isolation_reason = "why";
      }
      add_call(sum, one, call);
    }
    EXPECT_FALSE(sum.complete);
    EXPECT_FALSE(sum.promise_kept);
    EXPECT_EQ(sum.estimate, CampaignEstimate{});
    EXPECT_EQ(sum.isolation, Isolation::kFork);
    EXPECT_EQ(sum.isolation_reason, "why");
  }
}

TEST(MergeCalls, TheCurveGoesOn) {
  CampaignResult sum;
  for (std::uint32_t call = 1; call <= 2; ++call) {
    CampaignResult one = finished(5);
    one.curve = {{1, 2, 2, 0}, {2, 5, 4, 0}};
    add_call(sum, one, call);
  }
  ASSERT_EQ(sum.curve.size(), 4u);
  EXPECT_EQ(sum.curve[3].executions, 10u);
  EXPECT_EQ(sum.curve[3].seconds, 4);
}

TEST(MergeJobs, TracesOfOneTreeAreDifferent) {
  std::vector<CampaignResult> parts = {finished(3), finished(4)};
  parts[0].distinct_traces = 3;
  parts[1].distinct_traces = 4;
  EXPECT_EQ(merge_jobs(parts, true).distinct_traces, 7u);
  EXPECT_EQ(merge_jobs(parts, false).distinct_traces, 4u);
}

TEST(MergeJobs, TheSlowestSpeaksForTheSearch) {
  std::vector<CampaignResult> parts = {finished(3), finished(4), finished(5)};
  parts[0].bounds = 3;
  parts[0].strategy_note = "three";
  parts[1].bounds = 1;
  parts[1].strategy_note = "one";
  parts[2].bounds = 2;
  parts[2].strategy_note = "two";
  const CampaignResult sum = merge_jobs(parts, false);
  EXPECT_EQ(sum.bounds, 1u);
  EXPECT_EQ(sum.strategy_note, "one");
}

TEST(MergeJobs, AnEstimateIsNeverBelowWhatWasRun) {
  std::vector<CampaignResult> parts = {finished(30), finished(40)};
  parts[0].estimate = {20, 10, 90};
  parts[1].estimate = {25, 15, 50};
  const CampaignResult sum = merge_jobs(parts, true);
  EXPECT_EQ(sum.estimate, (CampaignEstimate{70, 70, 90}));
}

TEST(MergeLives, NothingOfTheFirstIsLost) {
  CampaignResult first = finished(7);
  first.complete = first.promise_kept = false;
  first.found = {seed(1, 3)};
  first.with_choice = 7;
  first.threads_max = 4;
  first.callouts = 70;
  CampaignResult total = first;
  add_result<Adding::kLives>(total, finished(9));
  EXPECT_EQ(total.executions, 16u);
  EXPECT_EQ(total.executions_by_job, std::vector<std::uint64_t>{16});
  EXPECT_TRUE(total.complete);  // the second began from scratch
  ASSERT_EQ(total.found.size(), 1u);
  EXPECT_EQ(total.with_choice, 7u);
  EXPECT_EQ(total.threads_max, 4u);
  EXPECT_EQ(total.callouts, 70u);
}

TEST(Found, OnePerKeyInTheOrderOfDiscovery) {
  FoundSeed race = seed(1, 0);
  race.source = FindingSource::kRace;
  const std::vector<FoundSeed> out = one_per_key({seed(1, 9), seed(2, 5), seed(1, 2), race});
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].source, FindingSource::kRace);
  EXPECT_EQ(out[1].key, 1u);
  EXPECT_EQ(out[1].execution, 2u);
  EXPECT_EQ(out[1].times_seen, 2u);
  EXPECT_EQ(out[2].key, 2u);
}

class Block : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(memory_); }
  SharedBlock& block() { return memory_->block(); }
  Result<SharedMemory> memory_ = SharedMemory::create();
};

TEST_F(Block, WhatIsCommittedIsRead) {
  Progress& progress = block().progress;
  progress.executions = 12;
  progress.choices = 11;
  progress.promise_kept = 1;
  progress.estimate = 20;
  std::strcpy(progress.strategy_note, "a note");
  block().isolation.mode = Isolation::kRepeat;
  block().isolation.runs = 12;
  block().isolation.repeats = 3;
  const CampaignResult result = result_of(block());
  EXPECT_EQ(result.executions, 12u);
  EXPECT_EQ(result.executions_by_job, std::vector<std::uint64_t>{12});
  EXPECT_EQ(result.with_choice, 11u);
  EXPECT_TRUE(result.promise_kept);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.estimate.executions, 20u);
  EXPECT_EQ(result.strategy_note, "a note");
  EXPECT_EQ(result.isolation, Isolation::kRepeat);
}

TEST_F(Block, AJobWithNothingToDoSaysNothingAboutIsolation) {
  block().isolation.mode = Isolation::kRepeat;
  block().progress.complete = 1;
  const CampaignResult idle = result_of(block());
  EXPECT_EQ(idle.isolation, Isolation::kAuto);
  for (const bool idle_first : {false, true}) {
    const CampaignResult sum =
        merge_jobs(idle_first ? std::vector{idle, finished(3)} : std::vector{finished(3), idle}, false);
    EXPECT_EQ(sum.isolation, Isolation::kRepeat);
    EXPECT_EQ(sum.isolation_reason, "");
  }
}

TEST_F(Block, OneWhoseExecutionsNeverEndedInsideIsForked) {
  block().progress.executions = 2;
  block().isolation.mode = Isolation::kRollback;
  EXPECT_EQ(result_of(block()).isolation, Isolation::kFork);
}

TEST_F(Block, RubbishIsSurvived) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const auto scribble = [&](void* place, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i)
        static_cast<unsigned char*>(place)[i] = static_cast<unsigned char>(random());
    };
    scribble(static_cast<void*>(&block().progress), sizeof block().progress);
    scribble(static_cast<void*>(&block().isolation), sizeof block().isolation);
    scribble(static_cast<void*>(block().findings), sizeof(FindingSeed) * 8);
    scribble(static_cast<void*>(block().outcomes), sizeof(OutcomeRecord) * 8);
    const CampaignResult result = result_of(block());
    EXPECT_LE(static_cast<unsigned>(result.isolation), static_cast<unsigned>(Isolation::kRepeat));
    for (const FoundSeed& found : findings_in(block(), 0)) {
      EXPECT_TRUE(is_defect(found.kind));
      EXPECT_LE(found.schedule.size(), kMaxSegments);
      EXPECT_LE(found.racy.size(), kMaxRacyLocations);
    }
    for (const FoundOutcome& found : outcomes_in(block())) {
      EXPECT_LT(found.kind, OutcomeKind::kCount);
      EXPECT_LE(found.observations.size(), kMaxObservations);
    }
  }
}

}  // namespace
}  // namespace ravel
