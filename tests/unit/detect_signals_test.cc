// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost signals and unchecked waits, each rule with the trace that differs from it in one thing.
#include "detect/lost_signal.h"
#include "support/detections.h"
#include "support/stuck.h"

namespace ravel {
namespace {

using testing::Detected;
using testing::DetectorBench;
using testing::Stuck;
using Set = std::set<std::string>;

// The threads in `waiting` wait at the end for a signal of c.
Set lost(const std::string& text, const std::vector<std::string>& waiting = {"A"}) {
  static DetectorBench bench(detector_bit(DetectorId::kLostSignal));
  Stuck stuck(text);
  for (const std::string& thread : waiting) stuck.waits(thread, OpKind::kCondReacquire, "c");
  return bench.run(stuck.trace, *stuck.result).lines;
}

const std::string kThreads = "main create A\nmain create B\nmain create C\n";
const std::string kLook = "A lock m\nA read ready 1 @ look\n";
const std::string kWait = "A wait c releasing m @ wait\n";
const std::string kSet = "B write ready 1 @ set\n";
const std::string kSignal = "B signal c wakes none @ signal\n";

TEST(LostSignal, TheWaitLooksAtNothing) {
  EXPECT_EQ(lost(kThreads + kSignal + "A lock m\n" + kWait), Set{"0: signal wait"});
  EXPECT_EQ(lost(kThreads + "A lock m\n" + kWait), Set{});  // there was no signal
  EXPECT_EQ(lost(kThreads + "A lock m\n" + kWait + kSignal), Set{});
  // Its own memory is no predicate; what another thread writes is one.
  EXPECT_EQ(lost(kThreads + kSignal + "A write own 8\nA lock m\nA read own 8\n" + kWait), Set{"0: signal wait"});
  EXPECT_EQ(lost("main write ready 1\n" + kThreads + kSignal + kLook + kWait), Set{});
}

TEST(LostSignal, BetweenTheLookAndTheWait) {
  EXPECT_EQ(lost(kThreads + kLook + kSet + kSignal + kWait), Set{"1: signal wait set"});
  // The look came after the change: it waits for something else.
  EXPECT_EQ(lost(kThreads + kSet + kLook + kSignal + kWait), Set{});
  // Undone before the wait.
  EXPECT_EQ(lost(kThreads + kLook + kSet + kSignal + "C write ready 1\n" + kWait), Set{});
  // Something else was changed.
  EXPECT_EQ(lost(kThreads + kLook + "B write other 1\n" + kSignal + kWait + "C write ready 1\n"), Set{});
}

TEST(LostSignal, WhatItLookedAtChangedOnceMore) {
  const std::string both = "A lock m\nA read ready 1\nA read full 1\n";
  EXPECT_EQ(lost(kThreads + both + kSet + kSignal + kWait), Set{"1: signal wait set"});
  EXPECT_EQ(lost(kThreads + both + kSet + kSignal + "C write full 1\n" + kWait), Set{});
}

TEST(LostSignal, AnotherThreadIsWoken) {
  const std::string both = kThreads + kLook + kWait + "C lock m\nC read full 1\nC wait c releasing m\n";
  const std::string woken = "B write ready 1 @ set\nB signal c wakes C @ signal\n";
  const std::string again = "C reacquire c releasing m\nC read full 1\nC wait c releasing m @ again\n";
  EXPECT_EQ(lost(both + woken + again, {"A", "C"}), Set{"2: signal wait set again"});
  EXPECT_EQ(lost(both + woken + "C reacquire c releasing m\nC unlock m\nC end @ end\n"), Set{"2: signal wait set end"});
  // Whoever was woken had a use for it, or passes it on, or is stuck elsewhere.
  EXPECT_EQ(lost(both + woken + "C reacquire c releasing m\nC write ready 1\nC unlock m\nC end\n"), Set{});
  EXPECT_EQ(lost(both + woken + "C reacquire c releasing m\nC signal c wakes none\nC unlock m\nC end\n"), Set{});
  EXPECT_EQ(lost(both + woken + "C reacquire c releasing m\n"), Set{});
}

TEST(LostSignal, OnlyWhereThreadsAreStuck) {
  static DetectorBench bench(detector_bit(DetectorId::kLostSignal));
  EXPECT_EQ(bench.run(kThreads + kLook + kSet + kSignal + kWait).lines, Set{});
}

Set unchecked(const std::string& text) {
  static DetectorBench bench(detector_bit(DetectorId::kUncheckedWait));
  return bench.run(text).lines;
}

const std::string kWoken = "B signal c wakes A\nA reacquire c releasing m @ woken\n";
const std::string kLeave = "A unlock m @ leave\n";

TEST(UncheckedWait, GoesOnWithoutALook) {
  EXPECT_EQ(unchecked(kThreads + kLook + kWait + kSet + kWoken + kLeave), Set{"0: wait woken leave"});
  EXPECT_EQ(unchecked(kThreads + kLook + kWait + kSet + kWoken + "A read ready 1\n" + kLeave), Set{});
  EXPECT_EQ(unchecked(kThreads + kLook + kWait + kSet + kWoken + "A read other 1\n" + kLeave),
            Set{"0: wait woken leave"});
}

TEST(UncheckedWait, LooksAtNothingAtAll) {
  EXPECT_EQ(unchecked(kThreads + "A lock m\n" + kWait + kWoken + kLeave), Set{"1: wait woken leave"});
}

TEST(UncheckedWait, ATimeOutIsMeant) {
  EXPECT_EQ(unchecked(kThreads + kLook + kWait + kSet + "A reacquire c releasing m timeout\n" + kLeave), Set{});
}

Set predicted(const std::string& text) {
  static DetectorBench bench(detector_bit(DetectorId::kPredictedSignal));
  return bench.run(text).lines;
}

const std::string kLocked = "A lock m @ lock\n";
const std::string kWake = "B signal c wakes A @ signal\n";
const std::string kEnd = "A reacquire c releasing m\nA unlock m\n";

TEST(PredictedSignal, TheWaitLooksAtNothing) {
  EXPECT_EQ(predicted(kThreads + kLocked + kWait + kWake + kEnd), Set{"0: signal wait lock"});
  EXPECT_EQ(predicted(kThreads + kLocked + "A read ready 1\n" + kWait + "B lock m\nB write ready 1\nB unlock m\n" +
                      kWake + kEnd),
            Set{});
  // Nobody was woken.
  EXPECT_EQ(predicted(kThreads + kLocked + kWait + "B signal c wakes none @ signal\n"), Set{});
  EXPECT_EQ(predicted(kThreads + kLocked + kWait + "B broadcast c = 1 @ signal\n" + kEnd), Set{"0: signal wait lock"});
}

TEST(PredictedSignal, ChangedWithoutTheMutex) {
  const std::string look = kLocked + "A load ready 1 @ look\n";
  EXPECT_EQ(predicted(kThreads + look + kWait + "B store ready 1 @ set\n" + kWake + kEnd), Set{"1: signal wait set"});
  EXPECT_EQ(predicted(kThreads + look + kWait + "B lock m\nB store ready 1 @ set\nB unlock m\n" + kWake + kEnd), Set{});
  // Something else was changed.
  EXPECT_EQ(predicted(kThreads + "C store ready 1\n" + look + kWait + "B store other 1\n" + kWake + kEnd), Set{});
}

TEST(PredictedSignal, TheWaitMustComeFirst) {
  // B goes on when A has the mutex, which A keeps until it waits.
  const std::string told = kThreads + kLocked + "A sem-post s\n" + kWait + "B sem-wait s\n";
  EXPECT_EQ(predicted(told + "B lock m\nB unlock m\n" + kWake + kEnd), Set{});
  EXPECT_EQ(predicted(told + kWake + kEnd), Set{"0: signal wait lock"});
  EXPECT_EQ(predicted(kThreads + kLocked + kWait + "B lock m\nB unlock m\n" + kWake + kEnd),
            Set{"0: signal wait lock"});
}

}  // namespace
}  // namespace ravel
