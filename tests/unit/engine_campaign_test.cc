// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The campaign loop on the toy machine: outcomes, findings, replay, verification, points, limits.
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>
#include <cstring>
#include <memory>

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/campaign.h"
#include "engine/findings.h"
#include "engine/fingerprint.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

struct Fixture {
  explicit Fixture(const toy::Program& program, FakeExecutor::Judge judge = {}, const char* strategy = "random")
      : executor(*block, program, std::move(judge)) {
    std::strcpy(block->campaign.strategy, strategy);
    block->campaign.iterations = 100;
    block->campaign.seed = 5;
  }
  void run() { run_campaign(*block, executor); }
  Progress& progress() { return block->progress; }
  // The plan of a finding as the driver would run it.
  void prepare_replay(Fixture& from, std::uint32_t finding, std::uint32_t repeat) {
    const FindingSeed& seed = from.block->findings[finding];
    block->campaign.mode = RunMode::kReplay;
    block->campaign.repeat = repeat;
    block->plan = seed.plan;
    std::memcpy(block->prefix, from.block->arena + seed.segments_offset, sizeof(Segment) * seed.segments);
    std::memcpy(block->racy, from.block->arena + seed.racy_offset, sizeof(LocationId) * seed.plan.racy_locations);
  }

  Block block;
  FakeExecutor executor;
};

TEST(Campaign, CountsWhatItRuns) {
  Fixture f(lost_update());
  f.run();
  EXPECT_EQ(f.progress().executions.load(), 100u);
  EXPECT_EQ(f.progress().steps.load(), 400u);
  EXPECT_EQ(f.progress().operations[static_cast<std::size_t>(OpKind::kAtomicLoad)].load(), 200u);
  EXPECT_EQ(f.progress().operations[static_cast<std::size_t>(OpKind::kAtomicStore)].load(), 200u);
  EXPECT_EQ(f.progress().distinct.load(), 6u);
  EXPECT_EQ(f.progress().choices.load(), 100u);
  EXPECT_EQ(f.progress().max_threads.load(), 2u);
  EXPECT_EQ(f.progress().blocked.load(), 0u);
  EXPECT_EQ(f.progress().findings.load(), 0u);
  EXPECT_EQ(f.progress().done.load(), 1u);
}

TEST(Campaign, DefectEndsItUnlessItShallGoOn) {
  Fixture stops(lost_update(), update_lost);
  stops.run();
  EXPECT_EQ(stops.progress().findings.load(), 1u);
  EXPECT_EQ(stops.progress().executions.load(), stops.block->findings[0].execution + 1);
  EXPECT_LT(stops.progress().executions.load(), 100u);

  Fixture goes_on(lost_update(), update_lost);
  goes_on.block->campaign.keep_going = 1;
  goes_on.run();
  EXPECT_EQ(goes_on.progress().executions.load(), 100u);
  ASSERT_EQ(goes_on.progress().findings.load(), 1u);
  EXPECT_GT(goes_on.block->findings[0].times_seen, 10u);
  EXPECT_EQ(goes_on.block->findings[0].kind, OutcomeKind::kAssertion);
}

TEST(Campaign, RaceDoesNotEndIt) {
  Fixture f(plain_lost_update());
  f.block->campaign.base.points = PointsMode::kRacy;
  f.run();
  EXPECT_EQ(f.progress().executions.load(), 100u);
  // Unordered pairs of locations: read-write twice, write-write once.
  ASSERT_EQ(f.progress().findings.load(), 3u);
  std::uint32_t seen = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(f.block->findings[i].kind, OutcomeKind::kDataRace);
    seen += f.block->findings[i].times_seen;
  }
  EXPECT_GE(seen, 100u);  // at least one in every execution
}

TEST(Campaign, PointsGrowAtPowersOfTwo) {
  Fixture f(plain_lost_update(), update_lost);
  f.block->campaign.base.points = PointsMode::kRacy;
  f.block->campaign.keep_going = 1;
  f.run();
  // The races of the first execution are points from the second on, so the update gets lost.
  EXPECT_EQ(f.executor.plans[0].racy_locations, 0u);
  EXPECT_GT(f.executor.plans[1].racy_locations, 0u);
  EXPECT_EQ(f.executor.plans[1].points_version, 1u);
  for (std::size_t i = 1; i < f.executor.plans.size(); ++i) {
    const bool grew = f.executor.plans[i].points_version != f.executor.plans[i - 1].points_version;
    if (grew) {
      EXPECT_EQ(i & (i - 1), 0u) << i;
    }
  }
  EXPECT_EQ(f.block->plan.racy_locations, 4u);
  EXPECT_TRUE(std::is_sorted(f.block->racy, f.block->racy + 4));
  FindingSeed* end = f.block->findings + f.progress().findings.load();
  EXPECT_TRUE(
      std::any_of(f.block->findings, end, [](const FindingSeed& s) { return s.kind == OutcomeKind::kAssertion; }));
}

TEST(Campaign, PointsStayWithoutTheMode) {
  Fixture f(plain_lost_update());
  f.block->campaign.base.points = PointsMode::kSync;
  f.run();
  EXPECT_EQ(f.block->plan.racy_locations, 0u);
  EXPECT_EQ(f.block->plan.points_version, 0u);
  EXPECT_GT(f.progress().findings.load(), 0u);  // races are found all the same
}

TEST(Campaign, EveryFindingReplays) {
  Fixture f(plain_lost_update(), update_lost);
  f.block->campaign.base.points = PointsMode::kRacy;
  f.block->campaign.keep_going = 1;
  f.run();
  ASSERT_GE(f.progress().findings.load(), 4u);
  for (std::uint32_t i = 0; i < f.progress().findings.load(); ++i) {
    Fixture again(plain_lost_update(), update_lost);
    again.prepare_replay(f, i, 5);
    again.run();
    EXPECT_EQ(again.progress().executions.load(), 5u);
    EXPECT_EQ(again.progress().mismatches.load(), 0u);
    EXPECT_EQ(again.progress().done.load(), 1u);
    if (f.block->findings[i].kind == OutcomeKind::kDataRace) {
      EXPECT_GT(again.block->result.races, 0u);
    } else {
      EXPECT_EQ(again.block->result.outcome, f.block->findings[i].kind);
    }
  }
}

TEST(Campaign, ReplayCountsMismatches) {
  Fixture f(lost_update());
  f.block->campaign.mode = RunMode::kReplay;
  f.block->campaign.repeat = 4;
  f.executor.at_end = [](std::uint64_t run, SharedBlock& block) {
    if (run == 2) block.result.outcome = OutcomeKind::kSignal;
  };
  f.run();
  EXPECT_EQ(f.progress().executions.load(), 4u);
  EXPECT_EQ(f.progress().mismatches.load(), 1u);
}

TEST(Campaign, ReplayExportsTheEventsOnce) {
  Fixture f(lost_update());
  f.block->campaign.mode = RunMode::kReplay;
  f.block->campaign.repeat = 3;
  const int fd = memfd_create("events", MFD_CLOEXEC);
  ASSERT_GE(fd, 0);
  f.block->campaign.export_fd = fd;
  f.run();
  Event events[5];
  EXPECT_EQ(pread(fd, events, sizeof(events), 0), static_cast<ssize_t>(4 * sizeof(Event)));
  EXPECT_EQ(events[0].kind, OpKind::kAtomicLoad);
  EXPECT_EQ(events[1].kind, OpKind::kAtomicStore);
  close(fd);
}

TEST(Campaign, ExportThatFailsIsSaid) {
  Fixture f(lost_update());
  f.block->campaign.mode = RunMode::kReplay;
  f.block->campaign.export_fd = 1'000'000;
  f.run();
  EXPECT_NE(std::string(f.progress().strategy_note).find("could not be written"), std::string::npos);
}

TEST(Campaign, VerificationRunsEachPlanTwice) {
  Fixture same(lost_update());
  same.block->campaign.verify = 1;
  same.run();
  EXPECT_EQ(same.executor.runs, 200u);
  EXPECT_EQ(same.progress().executions.load(), 100u);
  EXPECT_EQ(same.progress().steps.load(), 400u);
  EXPECT_EQ(same.progress().mismatches.load(), 0u);

  Fixture different(lost_update());
  different.block->campaign.verify = 1;
  different.block->campaign.keep_going = 1;
  different.executor.at_end = [](std::uint64_t run, SharedBlock& block) {
    if (run == 7) block.result.outcome = OutcomeKind::kAssertion;
  };
  different.run();
  EXPECT_EQ(different.progress().mismatches.load(), 1u);
}

TEST(Campaign, ExitStatusIsJudgedByExpectation) {
  const auto leaves_with_3 = [](std::uint64_t, SharedBlock& block) { block.result.exit_status = 3; };
  Fixture unexpected(lost_update());
  unexpected.executor.at_end = leaves_with_3;
  unexpected.run();
  ASSERT_EQ(unexpected.progress().findings.load(), 1u);
  EXPECT_EQ(unexpected.block->findings[0].kind, OutcomeKind::kExitCode);

  Fixture expected(lost_update());
  expected.executor.at_end = leaves_with_3;
  expected.block->campaign.expect_exit = 3;
  expected.run();
  EXPECT_EQ(expected.progress().findings.load(), 0u);
}

TEST(Campaign, DefectsAreToldApart) {
  Fixture f(lost_update());
  f.block->campaign.keep_going = 1;
  f.executor.at_end = [](std::uint64_t run, SharedBlock& block) {
    ExecutionResult& r = block.result;
    switch (run % 6) {
      case 0:
        r.outcome = OutcomeKind::kAssertion;
        std::strcpy(r.message, "a");
        break;
      case 1:
        r.outcome = OutcomeKind::kAssertion;
        std::strcpy(r.message, "b");
        break;
      case 2:
        r.outcome = OutcomeKind::kSignal;
        r.signal = 11;
        break;
      case 3:
        r.outcome = OutcomeKind::kDeadlock;
        r.waiting = 2;
        r.waiting_table[0].location = run % 12 == 3 ? 1 : 2;  // the same two in another order
        r.waiting_table[1].location = run % 12 == 3 ? 2 : 1;
        break;
      case 4:
        r.outcome = OutcomeKind::kDeadlock;
        r.waiting = 1;
        r.waiting_table[0].location = 1;
        break;
      default:
        r.outcome = OutcomeKind::kKilled;  // not a defect
    }
  };
  f.run();
  EXPECT_EQ(f.progress().findings.load(), 5u);
  EXPECT_EQ(f.progress().blocked.load(), 16u);
}

TEST(Campaign, TooManyFindingsAreCountedAndSaid) {
  Fixture f(lost_update());
  f.block->campaign.keep_going = 1;
  f.block->campaign.iterations = kMaxFindings + 10;
  f.executor.at_end = [](std::uint64_t run, SharedBlock& block) {
    block.result.outcome = OutcomeKind::kAssertion;
    block.result.location = static_cast<LocationId>(1000 + run);
  };
  f.run();
  EXPECT_EQ(f.progress().findings.load(), kMaxFindings);
  EXPECT_NE(std::string(f.progress().strategy_note).find("no room for 10"), std::string::npos);
}

TEST(Campaign, StopsWhenAsked) {
  Fixture f(lost_update());
  f.executor.at_end = [](std::uint64_t run, SharedBlock& block) {
    if (run == 9) block.control.stop = 1;
  };
  f.run();
  EXPECT_EQ(f.progress().executions.load(), 10u);
  EXPECT_EQ(f.progress().done.load(), 1u);
}

TEST(Campaign, RefusesAnUnknownStrategy) {
  Fixture f(lost_update(), {}, "nosuch");
  f.run();
  EXPECT_EQ(f.executor.runs, 0u);
  EXPECT_EQ(f.block->control.error, 1u);
  EXPECT_STREQ(f.block->control.error_text, "unknown strategy");
  EXPECT_EQ(f.progress().done.load(), 1u);
}

TEST(Campaign, HostileCountsAreBounded) {
  Fixture f(lost_update());
  f.block->campaign.keep_going = 1;
  f.executor.at_end = [](std::uint64_t, SharedBlock& block) {
    block.result.outcome = OutcomeKind::kDeadlock;
    block.result.waiting = 0xffffffff;
    block.result.decisions = 0xffffffff;
  };
  f.block->campaign.iterations = 3;
  f.run();
  EXPECT_EQ(f.progress().executions.load(), 3u);
}

TEST(FingerprintOfATrace, TellsAlternativesApart) {
  const auto of = [](OpKind kind, std::uint64_t value) {
    Event event;
    event.kind = kind;
    event.value = value;
    Fingerprint fingerprint;
    fingerprint.add(event);
    return fingerprint.value();
  };
  for (const OpKind kind : {OpKind::kChoice, OpKind::kCondSignal, OpKind::kDeliver}) {
    EXPECT_NE(of(kind, 0), of(kind, 1)) << op_name(kind);
    Event one;
    one.kind = kind;
    Event other = one;
    other.value = 1;
    EXPECT_FALSE(Fingerprint::same(one, other)) << op_name(kind);
  }
  EXPECT_EQ(of(OpKind::kRead, 0), of(OpKind::kRead, 1)) << "values of memory are no part of it";
}

TEST(OutcomeKey, OfFreedMemoryIsThreePlaces) {
  auto result = std::make_unique<ExecutionResult>();
  result->outcome = OutcomeKind::kUseAfterFree;
  result->location = 10;
  result->heap.freed.location = 20;
  result->heap.allocated.location = 30;
  const std::uint64_t key = outcome_key(*result);
  std::strcpy(result->message, "another offset");
  EXPECT_EQ(outcome_key(*result), key);
  result->heap.freed.location = 21;
  EXPECT_NE(outcome_key(*result), key);
}

}  // namespace
}  // namespace ravel::testing
