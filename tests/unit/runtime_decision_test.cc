// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include "runtime/schedule/clock.h"
#include "runtime/schedule/decision.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/idle.h"
#include "runtime/schedule/passing_time.h"
#include "runtime/schedule/schedule_log.h"
#include "support/runtime_fixture.h"

namespace ravel::rt {
namespace {

bool never(const VirtualThread&) {
  return false;
}

class DecisionTest : public RuntimeTest {
 protected:
  void make_three() {
    for (int i = 0; i < 3; ++i) make_thread();
    g_scheduler.ready.rebuild();
  }
  void follow(std::initializer_list<Segment> prefix) {
    std::uint32_t n = 0;
    for (const Segment& segment : prefix) block.prefix[n++] = segment;
    block.plan.prefix_segments = n;
    begin_schedule_log();
  }
};

TEST_F(DecisionTest, ThePlanComesBeforeThePolicy) {
  make_three();
  follow({{2, 1}, {1, 2}});
  EXPECT_EQ(decide(false).index, 2u);
  EXPECT_EQ(decide(false).index, 1u);
  EXPECT_EQ(decide(false).index, 1u);
  EXPECT_EQ(decide(false).index, 0u);  // used up: run-on goes on with who runs
  EXPECT_EQ(block.result.decisions, 4u);
  EXPECT_EQ(block.result.preemptions, 3u);
  ASSERT_EQ(block.result.segments, 3u);
  EXPECT_EQ(block.schedule[1].thread, 1u);
  EXPECT_EQ(block.schedule[1].count, 2u);
}

TEST_F(DecisionTest, TheAlternativesAreWrittenDownOncePerList) {
  make_three();
  (void)decide(false);
  (void)decide(false);
  EXPECT_EQ(block.result.enabled, 3u);
  EXPECT_EQ(block.decisions[1].enabled_at, block.decisions[0].enabled_at);
  threads[1]->pending.enabled = never;
  g_scheduler.make_stale();
  g_scheduler.ready.refresh(*g.current);
  (void)decide(false);
  EXPECT_EQ(block.result.enabled, 5u);
  EXPECT_EQ(block.enabled[4], 2u);
  EXPECT_EQ(block.decisions[2].options, 2u);
}

TEST_F(DecisionTest, AThreadThatCannotRunDiverges) {
  make_three();
  threads[2]->pending.enabled = never;
  g_scheduler.ready.rebuild();
  follow({{2, 1}});
  block.plan.on_divergence = OnDivergence::kStop;
  EXPECT_THROW((void)decide(false), Ended);
  EXPECT_EQ(block.result.expected_thread, 2u);
}

// A point that draws before it goes the long way decides as one that goes it at once, and says so in advance.
TEST_F(DecisionTest, ADrawIsTheDecision) {
  make_three();
  block.plan.policy.seed = 7;
  Policy& policy = policy_for(PolicyKind::kRandomWalk);
  g_scheduler.seat.policy = &policy;
  constexpr int kDecisions = 60;
  std::vector<ThreadIndex> at_once;
  policy.begin(block.plan.policy);
  for (int i = 0; i < kDecisions; ++i) at_once.push_back(decide(false).index);
  policy.begin(block.plan.policy);
  int goes_on = 0;
  for (const ThreadIndex expected : at_once) {
    ASSERT_EQ(draw_running(*g.current), expected == g.current->index);
    if (expected == g.current->index) {
      ++goes_on;
    } else {
      ASSERT_EQ(decide(false).index, expected);
    }
  }
  EXPECT_GT(goes_on, 0);
  EXPECT_LT(goes_on, kDecisions);
}

// Where the long way might not come to that decision, nothing is drawn.
TEST_F(DecisionTest, NothingIsDrawnForWhoIsNotUndisturbed) {
  make_three();
  Policy& policy = policy_for(PolicyKind::kRandomWalk);
  g_scheduler.seat.policy = &policy;
  for (int i = 0; i < 20; ++i) {
    g.current->cancel_requested = true;
    EXPECT_FALSE(draw_running(*g.current));
    g.current->cancel_requested = false;
    g_next_timer = 100;
    EXPECT_FALSE(draw_running(*g.current));
    g_next_timer = kNever;
    g_passing.due = 5;
    EXPECT_FALSE(draw_running(*g.current));
    g_passing = {};
    g_scheduler.make_stale();
    EXPECT_FALSE(draw_running(*g.current));
    g_scheduler.ready.rebuild();
    EXPECT_EQ(g_scheduler.quick.drawn, QuickPoint::kNobody);
  }
}

TEST_F(DecisionTest, WhoGivesWayIsNotPreempted) {
  make_three();
  EXPECT_NE(decide(true).index, 0u);
  EXPECT_EQ(block.result.preemptions, 0u);
}

TEST_F(DecisionTest, AThreadThatRunsForTooLongGivesWayOnce) {
  make_three();
  for (std::uint32_t i = 0; i < kFairPoints; ++i) ASSERT_EQ(decide(false).index, 0u);
  EXPECT_NE(decide(false).index, 0u);
  EXPECT_EQ(decide(false).index, 0u);
}

TEST_F(DecisionTest, ExcludedOperationsNeedNoDecision) {
  make_three();
  EXPECT_EQ(next_undecided(), nullptr);
  threads[1]->pending.kind = OpKind::kMutexLock;
  block.plan.excluded_classes = 1u << static_cast<unsigned>(op_class(OpKind::kMutexLock));
  EXPECT_EQ(next_undecided(), threads[1].get());
  threads[1]->enabled = false;
  EXPECT_EQ(next_undecided(), nullptr);
}

TEST_F(DecisionTest, AWaitThatEndsByChoiceSaysWhy) {
  make_three();
  VirtualThread& waits = *threads[1];
  waits.pending.enabled = [](const VirtualThread& thread) { return thread.wake != WakeReason::kNormal; };
  waits.pending.deadline = 700;
  waits.pending.may_wake_spuriously = true;
  waits.enabled = false;
  block.plan.timeouts = TimeoutMode::kAdversarial;
  wake_by_choice(waits);
  EXPECT_EQ(waits.wake, WakeReason::kTimeout);
  EXPECT_EQ(virtual_now(), 700u);
  EXPECT_EQ(block.result.timeout_fired, 1u);
  waits.wake = WakeReason::kNormal;  // its time-out has happened; now it wakes for nothing
  wake_by_choice(waits);
  EXPECT_EQ(waits.wake, WakeReason::kSpurious);
  EXPECT_EQ(block.result.faults, 1u);
}

TEST_F(DecisionTest, DataChoicesArePartOfThePlan) {
  make_three();
  follow({{kDataChoice | 2, 1}});
  g_scheduler.quick.mode = QuickPoint::Mode::kGoesOn;
  EXPECT_EQ(choose(3), 2u);
  EXPECT_EQ(g_scheduler.quick.mode, QuickPoint::Mode::kNone);  // its segment has ended
  EXPECT_EQ(choose(1), 0u);
  EXPECT_EQ(block.result.data_choices, 1u);
  follow({{kDataChoice | 3, 1}});
  block.plan.on_divergence = OnDivergence::kStop;
  EXPECT_THROW((void)choose(3), Ended);
}

TEST_F(DecisionTest, TimeGoesToTheEarliestDeadline) {
  make_three();
  for (const auto& thread : threads) thread->pending.enabled = never;
  EXPECT_FALSE(advance_time());
  threads[1]->pending.deadline = 900;
  threads[2]->pending.deadline = 300;
  EXPECT_TRUE(advance_time());
  EXPECT_EQ(virtual_now(), 300u);
  EXPECT_EQ(threads[2]->wake, WakeReason::kTimeout);
  EXPECT_EQ(threads[1]->wake, WakeReason::kNormal);
  g_next_timer = 900;  // a timer comes before a deadline of the same time
  EXPECT_TRUE(advance_time());
  EXPECT_EQ(threads[1]->wake, WakeReason::kNormal);
  EXPECT_TRUE(advance_time());
  EXPECT_EQ(threads[1]->wake, WakeReason::kTimeout);
}

TEST_F(DecisionTest, SpinningThreadsReReadInTurn) {
  make_three();
  EXPECT_EQ(next_spinner(), nullptr);
  threads[0]->pending.spinning = threads[2]->pending.spinning = true;
  EXPECT_EQ(next_spinner(), threads[2].get());
  g.current = threads[2].get();
  EXPECT_EQ(next_spinner(), threads[0].get());
}

}  // namespace
}  // namespace ravel::rt
