// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How the end of a free run is judged, from what the kernel and the shared block say.
#include "driver/free_record.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

#include "report/ratio.h"

namespace ravel {
namespace {

FreeRecord judged(int status, FreeStop stop = FreeStop::kNone, const FreeFailure& failure = {}, int expected = 0) {
  FreeRecord record;
  judge_end(record, status, failure, stop, expected);
  return record;
}

void describe(FreeFailure& failure, OutcomeKind kind, int signal, const char* message) {
  failure.kind = kind;
  failure.signal = signal;
  failure.frames = 1000;  // scribbled over
  std::strcpy(failure.message, message);
  failure.state.store(2);
}

TEST(FreeEnd, ExitStatus) {
  EXPECT_EQ(judged(W_EXITCODE(0, 0)).outcome, OutcomeKind::kCompleted);
  EXPECT_EQ(judged(W_EXITCODE(3, 0)).outcome, OutcomeKind::kExitCode);
  EXPECT_EQ(judged(W_EXITCODE(3, 0)).message, "exit status 3");
  EXPECT_EQ(judged(W_EXITCODE(3, 0), FreeStop::kNone, {}, 3).outcome, OutcomeKind::kCompleted);
}

TEST(FreeEnd, ASignalIsAFailureAndAKillIsNot) {
  EXPECT_EQ(judged(W_EXITCODE(0, SIGTERM)).outcome, OutcomeKind::kSignal);
  EXPECT_EQ(judged(W_EXITCODE(0, SIGTERM)).message, "SIGTERM");
  EXPECT_EQ(judged(W_EXITCODE(0, SIGKILL)).outcome, OutcomeKind::kKilled);
}

TEST(FreeEnd, TheBlockSaysWhy) {
  FreeFailure failure;
  describe(failure, OutcomeKind::kAssertion, 0, "n == 2");
  const FreeRecord record = judged(W_EXITCODE(0, SIGABRT), FreeStop::kNone, failure);
  EXPECT_EQ(record.outcome, OutcomeKind::kAssertion);
  EXPECT_EQ(record.message, "n == 2");
  EXPECT_EQ(record.frames.size(), kFreeFrames);
}

// A fault that the program's handler has dealt with is not how it ended.
TEST(FreeEnd, AFailureThatDidNotEndItDoesNotCount) {
  FreeFailure failure;
  describe(failure, OutcomeKind::kSignal, SIGSEGV, "SIGSEGV");
  EXPECT_EQ(judged(W_EXITCODE(0, 0), FreeStop::kNone, failure).outcome, OutcomeKind::kCompleted);
  EXPECT_EQ(judged(W_EXITCODE(0, SIGTERM), FreeStop::kNone, failure).message, "SIGTERM");
}

TEST(FreeEnd, WhatTheWatchSawComesFirst) {
  EXPECT_EQ(judged(W_EXITCODE(0, SIGKILL), FreeStop::kDeadlock).outcome, OutcomeKind::kDeadlock);
  EXPECT_EQ(judged(W_EXITCODE(0, SIGKILL), FreeStop::kHang).outcome, OutcomeKind::kHang);
  EXPECT_EQ(judged(W_EXITCODE(0, SIGKILL), FreeStop::kCut).outcome, OutcomeKind::kCut);
  EXPECT_EQ(judged(W_EXITCODE(0, SIGKILL), FreeStop::kInterrupted).outcome, OutcomeKind::kNotRun);
}

// By the closed form, and a published value: 1 of 10 is 1.8 to 40.4 %.
TEST(Ratio, WilsonInterval) {
  EXPECT_NEAR(wilson(1, 10).low, 0.0179, 0.0001);
  EXPECT_NEAR(wilson(1, 10).high, 0.4042, 0.0001);
  EXPECT_EQ(wilson(0, 50).low, 0);
  EXPECT_NEAR(wilson(0, 50).high, 0.0713, 0.0001);
  EXPECT_EQ(wilson(50, 50).high, 1);
  EXPECT_EQ(wilson(0, 0).high, 1);
  EXPECT_EQ(ratio_text(1, 212), "0.5 %, 95 %: 0.1 to 2.6 %");
}

}  // namespace
}  // namespace ravel
