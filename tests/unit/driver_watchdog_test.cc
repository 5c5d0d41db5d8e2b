// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/watchdog.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WatchdogTest : public testing::Test {
 protected:
  WatchdogAction at(milliseconds time, std::uint64_t executions, std::uint64_t steps, bool ready = true,
                    bool interrupted = false) {
    return dog.look(start + time, {false, ready, executions, steps}, interrupted);
  }
  Clock::time_point start = Clock::now();
  Watchdog dog{start, Budget{seconds(10), 0}, milliseconds(1000)};
};

TEST_F(WatchdogTest, LeavesAMovingSessionAlone) {
  for (int i = 1; i < 100; ++i)
    EXPECT_EQ(at(milliseconds(i * 100), static_cast<std::uint64_t>(i), 0), WatchdogAction::kNone);
}

TEST_F(WatchdogTest, AsksToStopOnceWhenTheTimeIsOver) {
  EXPECT_EQ(at(seconds(10), 1, 0), WatchdogAction::kRequestStop);
  EXPECT_EQ(at(milliseconds(10'100), 2, 0), WatchdogAction::kNone);
}

TEST_F(WatchdogTest, EndsTheLastExecutionByForceThoughItMoves) {
  EXPECT_EQ(at(seconds(10), 1, 0), WatchdogAction::kRequestStop);
  EXPECT_EQ(at(milliseconds(10'900), 1, 1000), WatchdogAction::kNone);
  EXPECT_EQ(at(milliseconds(11'100), 1, 2000), WatchdogAction::kKillAll);
}

TEST_F(WatchdogTest, GivesTheRuntimeTenSecondsToTakeOver) {
  EXPECT_EQ(at(seconds(9), 0, 0, false), WatchdogAction::kNone);
  EXPECT_EQ(at(milliseconds(10'001), 0, 0, false), WatchdogAction::kNotReady);
}

TEST_F(WatchdogTest, KillsTheExecutionThatDoesNotMoveThenEverything) {
  EXPECT_EQ(at(milliseconds(1), 5, 5), WatchdogAction::kNone);
  EXPECT_EQ(at(milliseconds(4000), 5, 5), WatchdogAction::kNone);
  EXPECT_EQ(at(milliseconds(5100), 5, 5), WatchdogAction::kKillChild);
  EXPECT_EQ(at(milliseconds(9000), 5, 5), WatchdogAction::kNone);
  (void)at(milliseconds(10'000), 5, 5);  // stop is asked for
  EXPECT_EQ(at(milliseconds(10'200), 5, 5), WatchdogAction::kKillAll);
}

TEST_F(WatchdogTest, StepsCountAsMovement) {
  for (int i = 1; i < 90; ++i)
    EXPECT_EQ(at(milliseconds(i * 100), 0, static_cast<std::uint64_t>(i)), WatchdogAction::kNone);
}

TEST_F(WatchdogTest, AnInterruptIsObeyedSoonOrByForce) {
  EXPECT_EQ(at(milliseconds(100), 1, 0, true, true), WatchdogAction::kRequestStop);
  EXPECT_EQ(at(milliseconds(2000), 2, 0, true, true), WatchdogAction::kNone);
  EXPECT_EQ(at(milliseconds(3200), 3, 0, true, true), WatchdogAction::kKillAll);
}

TEST_F(WatchdogTest, NoTimeLimitMeansNone) {
  Watchdog endless(start, Budget{}, milliseconds(1000));
  EXPECT_EQ(endless.look(start + std::chrono::hours(5), {false, true, 1, 1}, false), WatchdogAction::kNone);
}

TEST_F(WatchdogTest, NothingGoesOnAfterTheDeadline) {
  Watchdog bounded(start, Budget{seconds(10), 0}, milliseconds(1000), Deadline(start + seconds(2)));
  EXPECT_EQ(bounded.look(start + milliseconds(1900), {false, true, 1, 1}, false), WatchdogAction::kNone);
  EXPECT_EQ(bounded.look(start + milliseconds(2000), {false, true, 9, 9}, false), WatchdogAction::kKillAll);
  Watchdog starting(start, Budget{seconds(10), 0}, milliseconds(1000), Deadline(start + seconds(2)));
  EXPECT_EQ(starting.look(start + milliseconds(2000), {false, false, 0, 0}, false), WatchdogAction::kKillAll);
}

TEST(Pause, DoesNotCountTowardsADeadline) {
  const Clock::time_point start = Clock::now();
  const Deadline before(start + seconds(1));
  g_paused += seconds(5);
  const Deadline after(start + seconds(1));
  EXPECT_FALSE(before.passed(start + seconds(3)));
  EXPECT_TRUE(before.passed(start + seconds(6)));
  EXPECT_TRUE(after.passed(start + seconds(1)));
  EXPECT_FALSE(Deadline().passed(start + std::chrono::hours(1000)));
}

TEST(Pause, AToolThatWasStoppedTakesNothingForAHang) {
  const Clock::time_point start{};
  for (const bool forgiven : {false, true}) {
    Watchdog watchdog(start, Budget{std::chrono::seconds(60), 0}, std::chrono::seconds(1));
    const SessionFacts facts{false, true, 1, 1};
    EXPECT_EQ(watchdog.look(start, facts, false), WatchdogAction::kNone);
    if (forgiven) watchdog.forgive(std::chrono::seconds(50));
    const WatchdogAction action = watchdog.look(start + std::chrono::seconds(51), facts, false);
    EXPECT_EQ(action, forgiven ? WatchdogAction::kNone : WatchdogAction::kKillChild);
  }
}

}  // namespace
}  // namespace ravel
