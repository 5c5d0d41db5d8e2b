// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/verdict.h"

#include <gtest/gtest.h>

#include "investigate/replay_verdict.h"
#include "model/exit_code.h"

namespace ravel {
namespace {

CampaignResult good_campaign() {
  CampaignResult campaign;
  campaign.executions = 100;
  campaign.callouts = 1000;
  campaign.threads_max = 2;
  campaign.with_choice = 90;
  return campaign;
}

Verdict judged(const CampaignResult& campaign, bool exhaustive = false, bool allow_vacuous = false) {
  return judge({campaign, 0, 0, exhaustive, false, allow_vacuous, false});
}

TEST(Verdict, CleanCampaign) {
  const Verdict verdict = judged(good_campaign());
  EXPECT_EQ(verdict.exit_code, kExitClean);
  EXPECT_FALSE(verdict.vacuous);
  EXPECT_TRUE(verdict.reason.empty());
}

TEST(Verdict, ADefectWinsOverEverything) {
  CampaignResult campaign = good_campaign();
  campaign.interrupted = true;
  EXPECT_EQ(judge({campaign, 1, 1, true, false, false, false}).exit_code, kExitDefect);
}

TEST(Verdict, ASearchThatOnlyStartedAgainHasRunOutOfItsBudget) {
  CampaignResult campaign = good_campaign();
  for (const char* note : {"", "restarted 2 times because new points were found"}) {
    campaign.strategy_note = note;
    EXPECT_EQ(judged(campaign, true).exit_code, kExitInconclusive);
    EXPECT_EQ(judged(campaign, true).reason.find("the budget ended"), 0u) << note;
    EXPECT_NE(judged(campaign, true).reason.find(note), std::string::npos);
  }
  campaign.strategy_note = "the search cannot reason about kill; restarted 1 time because new points were found";
  EXPECT_EQ(judged(campaign, true).reason.find("not every schedule was covered: the search cannot"), 0u);
}

TEST(Verdict, VacuousCampaignsSayWhyAndWhatToDo) {
  CampaignResult campaign = good_campaign();
  campaign.callouts = 0;
  EXPECT_EQ(judged(campaign).exit_code, kExitCannotTest);
  EXPECT_TRUE(judged(campaign).vacuous);
  EXPECT_NE(judged(campaign).reason.find("ravel c++"), std::string::npos);

  campaign = good_campaign();
  campaign.threads_max = 1;
  EXPECT_EQ(judged(campaign).exit_code, kExitCannotTest);
  EXPECT_NE(judged(campaign).reason.find("no second thread"), std::string::npos);

  campaign = good_campaign();
  campaign.with_choice = 0;
  EXPECT_EQ(judged(campaign).exit_code, kExitCannotTest);
  EXPECT_NE(judged(campaign).reason.find("no scheduling choice"), std::string::npos);
  EXPECT_EQ(judged(campaign, false, true).exit_code, kExitClean);
  EXPECT_TRUE(judged(campaign, false, true).vacuous);

  campaign = good_campaign();
  campaign.executions = 0;
  EXPECT_EQ(judged(campaign).exit_code, kExitCannotTest);
}

TEST(Verdict, AGuaranteeThatWasNotReachedIsInconclusive) {
  CampaignResult campaign = good_campaign();
  EXPECT_EQ(judged(campaign, true).exit_code, kExitInconclusive);
  campaign.complete = campaign.promise_kept = true;
  EXPECT_EQ(judged(campaign, true).exit_code, kExitClean);
}

TEST(Verdict, AConfirmationThatWasKilledSaysNothingOfDeterminism) {
  const CampaignResult campaign = good_campaign();
  VerdictInput facts{campaign, 0, 2};
  facts.cut_short = 2;
  EXPECT_EQ(judge(facts).exit_code, kExitCannotTest);
  EXPECT_EQ(judge(facts).reason.find("deterministic"), std::string::npos);
  facts.cut_short = 1;  // the other one came to its end and differed
  EXPECT_NE(judge(facts).reason.find("deterministic"), std::string::npos);
  facts.confirmed = 1;
  EXPECT_EQ(judge(facts).exit_code, kExitDefect);
}

TEST(Verdict, InterruptedAndNotDeterministic) {
  CampaignResult campaign = good_campaign();
  campaign.interrupted = true;
  EXPECT_EQ(judged(campaign).exit_code, kExitInterrupted);
  EXPECT_EQ(judge({good_campaign(), 0, 1, false, false, false, false}).exit_code, kExitCannotTest);
  campaign = good_campaign();
  campaign.mismatches = 2;
  EXPECT_EQ(judge({campaign, 0, 0, false, false, false, true}).exit_code, kExitCannotTest);
  const Verdict named = judge({campaign, 0, 0, false, false, false, true, "execution 3, event 17"});
  EXPECT_NE(named.reason.find("; execution 3, event 17"), std::string::npos);
}

class ReplayVerdictTest : public testing::Test {
 protected:
  ReplayVerdictTest() {
    plan.outcome = OutcomeKind::kAssertion;
    plan.outcome_place = {"main", 3, 7};
    plan.hash = 11;
    plan.threads = {{"main", ""}, {"main.1", ""}};
    plan.schedule.push_back({});
    result.runs = 1;
    result.record.outcome = OutcomeKind::kAssertion;
  }
  ReplayVerdict judged(bool same_build, std::uint64_t hash, PlaceName place = {"main", 3, 7},
                       std::optional<std::string> misfit = {}) {
    return judge_replay({&plan, same_build, result, hash, std::move(place), std::move(misfit), false});
  }
  PlanFile plan;
  ReplayResult result;
};

TEST_F(ReplayVerdictTest, Reproduced) {
  EXPECT_EQ(judged(true, 11).exit_code, kExitDefect);
  EXPECT_EQ(judged(true, 11).end, ReplayEnd::kReproduced);
  EXPECT_TRUE(judged(true, 11).reason.empty());
  EXPECT_FALSE(judged(true, 12).reason.empty());  // reproduced, but the trace is another one: said
}

TEST_F(ReplayVerdictTest, SurvivesARebuild) {
  EXPECT_EQ(judged(false, 11).exit_code, kExitDefect);
  EXPECT_EQ(judged(false, 12).exit_code, kExitDefect);
}

TEST_F(ReplayVerdictTest, ADifferentProgramIsRefused) {
  const ReplayVerdict verdict =
      judged(false, 12, {"other", 1, 1}, "decision 0: expected lock of main.1 at f+2:5, found ...");
  EXPECT_EQ(verdict.exit_code, kExitCannotTest);
  EXPECT_NE(verdict.reason.find("different program"), std::string::npos);
  EXPECT_NE(verdict.reason.find("expected lock"), std::string::npos);
  result.record.outcome = OutcomeKind::kCompleted;
  EXPECT_EQ(judged(false, 12, {}, "decision 0: ...").exit_code, kExitCannotTest);
  plan.schedule.clear();  // nothing to compare but the trace
  EXPECT_EQ(judged(false, 12, {}).exit_code, kExitCannotTest);
}

TEST_F(ReplayVerdictTest, ARepairedProgramRunsClean) {
  result.record.outcome = OutcomeKind::kCompleted;
  EXPECT_EQ(judged(false, 12, {}).exit_code, kExitClean);
}

TEST_F(ReplayVerdictTest, TheSameBuildMustDoTheSame) {
  result.record.outcome = OutcomeKind::kCompleted;
  EXPECT_EQ(judged(true, 12, {}).exit_code, kExitCannotTest);
  plan.outcome = OutcomeKind::kCompleted;
  EXPECT_EQ(judged(true, 11, {}).exit_code, kExitClean);
  EXPECT_EQ(judged(true, 12, {}).exit_code, kExitCannotTest);
}

TEST_F(ReplayVerdictTest, DivergenceNamesWhatWasExpected) {
  result.record.outcome = OutcomeKind::kDiverged;
  result.record.diverged_at = 4;
  result.record.expected_thread = 1;
  const ReplayVerdict verdict = judged(true, 12);
  EXPECT_EQ(verdict.exit_code, kExitCannotTest);
  EXPECT_NE(verdict.reason.find("decision 4: expected main.1 to run"), std::string::npos) << verdict.reason;
}

TEST_F(ReplayVerdictTest, RunsThatDifferAreNotAReproduction) {
  result.mismatches = 1;
  EXPECT_EQ(judged(true, 11).exit_code, kExitCannotTest);
}

TEST_F(ReplayVerdictTest, ARaceIsReproducedByARace) {
  plan.outcome = OutcomeKind::kDataRace;
  result.record.outcome = OutcomeKind::kCompleted;
  EXPECT_EQ(judged(true, 11).exit_code, kExitCannotTest);
  result.record.races.emplace_back();
  EXPECT_EQ(judged(true, 11).exit_code, kExitDefect);
}

TEST_F(ReplayVerdictTest, ASeedStringPromisesNothing) {
  EXPECT_EQ(judge_replay({nullptr, true, result, 1, {}, {}, false}).exit_code, kExitDefect);
  result.record.outcome = OutcomeKind::kCompleted;
  EXPECT_EQ(judge_replay({nullptr, true, result, 1, {}, {}, false}).exit_code, kExitClean);
  result.interrupted = true;
  EXPECT_EQ(judge_replay({nullptr, true, result, 1, {}, {}, false}).exit_code, kExitInterrupted);
}

// What reachability testing could not force: data races are the reason, other defects stand by themselves.
TEST(VerdictTest, WhatIsBlockedOutsideIsNotTested) {
  const CampaignResult campaign = good_campaign();
  VerdictInput input{campaign};
  input.undecided = "it is blocked in futex(), which Ravel does not control";
  const Verdict verdict = judge(input);
  EXPECT_EQ(verdict.exit_code, kExitCannotTest);
  EXPECT_NE(verdict.reason.find("futex()"), std::string::npos);
  EXPECT_NE(verdict.reason.find("--free"), std::string::npos);
  input.confirmed = 1;  // another defect stands by itself
  EXPECT_EQ(judge(input).exit_code, kExitDefect);
}

TEST(Verdict, PrefixDivergence) {
  const CampaignResult campaign = good_campaign();
  VerdictInput input{campaign};
  input.exhaustive = true;
  input.divergence = "prefix divergence: main.1 lock m";
  const Verdict verdict = judge(input);
  EXPECT_EQ(verdict.exit_code, kExitCannotTest);
  EXPECT_EQ(verdict.reason, input.divergence);
  input.confirmed = input.races = 2;
  EXPECT_EQ(judge(input).exit_code, kExitCannotTest);
  input.confirmed = 3;
  EXPECT_EQ(judge(input).exit_code, kExitDefect);
}

}  // namespace
}  // namespace ravel
