// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/plan_file.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "model/operation.h"

namespace ravel {
namespace {

PlanFile sample() {
  PlanFile plan;
  plan.program = "/srv/me/bank";
  plan.arguments = {"--accounts", "two words", "quote\" back\\ new\nline"};
  plan.cwd = "/srv/me";
  plan.scratch = true;
  plan.regions = {"Account::deposit", "*::reset"};
  plan.build_id = "0123abcd";
  plan.strategy = "pct,depth=3";
  plan.seed = 42;
  plan.spec.policy.kind = PolicyKind::kPct;
  plan.spec.policy.seed = 99;
  plan.spec.points = PointsMode::kRacy;
  plan.spec.points_version = 2;
  plan.spec.excluded_classes = 1u << static_cast<unsigned>(OpClass::kLifecycle);
  plan.spec.faults = kFaultSpuriousWakeup | kFaultAlloc;
  plan.spec.max_faults = 3;
  plan.spec.data_seed = 11;
  plan.spec.explore_call = 2;
  plan.racy.push_back({{"transfer(int)", 2, 5}, "_Z8transferi", 1, "bank", 0x1234});
  plan.outcome = OutcomeKind::kAssertion;
  plan.message = "total == 200";
  plan.outcome_place = {"main", 3, 7};
  plan.hash = 0xfeedface12345678u;
  plan.events = 17;
  plan.threads = {{"main", ""}, {"main.1", "worker"}};
  plan.schedule.push_back({false, 1, 3, "lock", {"transfer(int)", 2, 5}, "lock m at bank.cpp:14"});
  plan.schedule.push_back({true, 1, 2, "", {}, ""});
  plan.schedule.push_back({false, 0, 1, "", {}, ""});
  plan.spec.prefix_segments = 3;
  plan.spec.racy_locations = 1;
  return plan;
}

// Text is canonical, so equal texts are equal plans.
TEST(PlanFile, SurvivesWritingAndReading) {
  const std::string text = write_plan(sample());
  const auto again = parse_plan(text, "p");
  ASSERT_TRUE(again) << again.error().line();
  EXPECT_EQ(again->arguments, sample().arguments);
  EXPECT_EQ(again->racy, sample().racy);
  EXPECT_EQ(again->threads, sample().threads);
  EXPECT_EQ(again->schedule, sample().schedule);
  EXPECT_EQ(again->hash, sample().hash);
  EXPECT_TRUE(again->scratch);
  EXPECT_EQ(again->regions, sample().regions);
  EXPECT_EQ(again->spec.policy.seed, 99u);
  EXPECT_EQ(again->spec.prefix_segments, 3u);
  EXPECT_EQ(again->spec.faults, kFaultSpuriousWakeup | kFaultAlloc);
  EXPECT_EQ(again->spec.max_faults, 3u);
  EXPECT_EQ(again->spec.data_seed, 11u);
  EXPECT_EQ(again->spec.explore_call, 2u);
  EXPECT_EQ(again->outcome_place, sample().outcome_place);
}

TEST(PlanFile, SegmentsAreWhatTheRuntimeReads) {
  const auto segments = sample().segments();
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[0].thread, 1u);
  EXPECT_EQ(segments[0].count, 3u);
  EXPECT_EQ(segments[1].thread, kDataChoice | 1u);
}

TEST(PlanFile, ShowsTheOperationOfASegment) {
  EXPECT_NE(write_plan(sample()).find("run main.1 x3 at lock \"transfer(int)\" +2:5  # lock m at bank.cpp:14\n"),
            std::string::npos);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto plan = parse_plan(text, "p");
  EXPECT_FALSE(plan);
  if (plan) return "accepted";
  EXPECT_EQ(plan.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(plan.error().line().find('\n'), std::string::npos);
  return plan.error().line();
}

TEST(PlanFile, ErrorsNameTheLine) {
  const std::string good = write_plan(sample());
  EXPECT_NE(error_of(replaced(good, "timeouts fair", "timeouts unfair")).find("p:18: bad `timeouts' line"),
            std::string::npos)
      << error_of(replaced(good, "timeouts fair", "timeouts unfair"));
  EXPECT_NE(error_of(replaced(good, "seed 42", "seed 42\nseed 43")).find("`seed' given twice"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "seed 42", "sead 42")).find("unknown key `sead'"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "seed 42\n", "")).find("no `seed' line"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "run main.1 x3", "run main.2 x3")).find("unknown thread `main.2'"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(good, "run main.1 x3", "run main.1 x0")).find("bad `run' line"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "at lock", "at lick")).find("bad `run' line"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "\nend\n", "\n")).find("ends too early"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "\nend\n", "\nend\nrun main x1\n")).find("text after `end'"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "schedule 3", "schedule 4")).find("4 segments announced, 3 found"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(good, "schedule 3", "schedule 2")).find("more segments than announced"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(good, "cwd \"/srv/me\"", "cwd \"/srv/me")).find("broken quotes"), std::string::npos);
  EXPECT_NE(error_of(replaced(good, "thread 0 main\n", "thread 0 mine\n")).find("bad `thread' line"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(good, "max-steps 1000000", "max-steps -1")).find("bad `max-steps' line"),
            std::string::npos);
}

TEST(PlanFile, RefusesANewerVersionAndOtherFiles) {
  EXPECT_NE(error_of(replaced(write_plan(sample()), "ravel-plan 6", "ravel-plan 7")).find("format version 7"),
            std::string::npos);
  EXPECT_NE(error_of("#!/bin/sh\n").find("not a plan"), std::string::npos);
  EXPECT_NE(error_of("").find("not a plan"), std::string::npos);
  EXPECT_NE(error_of("ravel-plan 1\n").find("ends too early"), std::string::npos);
}

rc::Gen<std::string> any_text() {
  return rc::gen::container<std::string>(rc::gen::arbitrary<char>());
}

rc::Gen<PlaceName> any_place() {
  return rc::gen::construct<PlaceName>(any_text(), rc::gen::arbitrary<std::uint32_t>(),
                                       rc::gen::arbitrary<std::uint32_t>());
}

RC_GTEST_PROP(PlanFileProperty, RoundTrip, ()) {
  PlanFile plan;
  plan.program = *any_text();
  plan.arguments = *rc::gen::container<std::vector<std::string>>(any_text());
  plan.cwd = *any_text();
  plan.stdin_path = *any_text();
  plan.build_id = *any_text();
  plan.strategy = *any_text();
  plan.seed = *rc::gen::arbitrary<std::uint64_t>();
  plan.spec.policy.kind = static_cast<PolicyKind>(*rc::gen::inRange(0, 5));
  plan.spec.policy.seed = *rc::gen::arbitrary<std::uint64_t>();
  plan.spec.policy.switches = *rc::gen::inRange<std::uint8_t>(0, kMaxForcedSwitches + 1);
  for (unsigned i = 0; i < plan.spec.policy.switches; ++i) {
    plan.spec.policy.forced[i] = {*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<std::uint32_t>()};
  }
  plan.spec.max_steps = *rc::gen::arbitrary<std::uint64_t>();
  plan.spec.data_seed = *rc::gen::arbitrary<std::uint64_t>();
  plan.spec.explore_call = *rc::gen::arbitrary<std::uint32_t>();
  plan.spec.faults = *rc::gen::inRange<std::uint32_t>(0, 1u << std::size(kFaultNames));
  plan.spec.points = static_cast<PointsMode>(*rc::gen::inRange(0, 4));
  plan.spec.timeouts = static_cast<TimeoutMode>(*rc::gen::inRange(0, 2));
  plan.spec.waiters = static_cast<WaiterMode>(*rc::gen::inRange(0, 2));
  plan.spec.volatiles = static_cast<VolatileMode>(*rc::gen::inRange(0, 3));
  plan.expect_exit = *rc::gen::inRange(0, 256);
  plan.outcome = static_cast<OutcomeKind>(*rc::gen::inRange(0, static_cast<int>(OutcomeKind::kCount)));
  plan.message = *any_text();
  plan.hash = *rc::gen::arbitrary<std::uint64_t>();
  plan.events = *rc::gen::arbitrary<std::uint64_t>();
  plan.threads = {{"main", *any_text()}, {"main.1", *any_text()}, {"main.1.1", ""}};
  const int racy = *rc::gen::inRange(0, 4);
  for (int i = 0; i < racy; ++i) {
    plan.racy.push_back({*any_place(), *any_text(), *rc::gen::arbitrary<std::uint32_t>(), *any_text(),
                         *rc::gen::arbitrary<std::uint32_t>()});
  }
  const int segments = *rc::gen::inRange(0, 20);
  for (int i = 0; i < segments; ++i) {
    PlanSegment segment;
    segment.is_data = *rc::gen::arbitrary<bool>();
    segment.choice =
        segment.is_data ? *rc::gen::inRange<std::uint32_t>(0, kDataChoice) : *rc::gen::inRange<std::uint32_t>(0, 3);
    segment.count = *rc::gen::inRange<std::uint32_t>(1, 1000);
    if (*rc::gen::arbitrary<bool>()) {
      segment.operation =
          std::string(kOperationTable[*rc::gen::inRange<std::size_t>(0, std::size(kOperationTable))].name);
      segment.place = *any_place();
    }
    segment.comment = *any_text();
    plan.schedule.push_back(segment);
  }
  const auto again = parse_plan(write_plan(plan), "p");
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->program == plan.program && again->arguments == plan.arguments && again->cwd == plan.cwd);
  RC_ASSERT(again->stdin_path == plan.stdin_path && again->build_id == plan.build_id &&
            again->strategy == plan.strategy);
  RC_ASSERT(again->racy == plan.racy && again->threads == plan.threads && again->schedule == plan.schedule);
  RC_ASSERT(again->message == plan.message && again->hash == plan.hash && again->events == plan.events);
  RC_ASSERT(again->spec.max_steps == plan.spec.max_steps && again->outcome == plan.outcome);
  RC_ASSERT(again->spec.policy.switches == plan.spec.policy.switches);
  RC_ASSERT(again->expect_exit == plan.expect_exit);
}

// Damaged files: whatever happens to the bytes, the answer is a plan or an error, never a crash or a hang.
TEST(PlanFile, SurvivesDamage) {
  const std::string good = write_plan(sample());
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    const unsigned edits = 1 + random() % 4;
    for (unsigned i = 0; i < edits && !text.empty(); ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        case 2:
          text.insert(at, 1, static_cast<char>(random()));
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
    }
    const auto plan = parse_plan(text, "p");
    if (!plan) {
      ++refused;
    } else {
      ASSERT_TRUE(parse_plan(write_plan(*plan), "p")) << text;  // what is accepted can be written again
    }
  }
  EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace ravel
