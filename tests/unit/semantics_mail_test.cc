// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What reaches a thread from others, and the end of the process, on hand-made states.
#include <gtest/gtest.h>

#include "semantics/mail.h"
#include "semantics/process_exit.h"

namespace ravel {
namespace {

TEST(Mail, SignalsWaitUntilTheyAreLetThrough) {
  Mail mail;
  EXPECT_FALSE(has_signal(mail));
  mail.signal_mask = signal_bit(12);
  leave_signal(mail, 12);
  leave_signal(mail, 12);
  EXPECT_FALSE(lets_through(mail, 12));
  EXPECT_FALSE(has_signal(mail));
  leave_signal(mail, 15);
  leave_signal(mail, 10);
  EXPECT_EQ(take_deliverable(mail), 10);
  EXPECT_EQ(take_deliverable(mail), 15);
  EXPECT_FALSE(has_signal(mail));
  mail.signal_mask = 0;
  EXPECT_EQ(take_deliverable(mail), 12);
  EXPECT_FALSE(has_signal(mail)) << "one signal is not there twice";
}

TEST(Mail, WaitsTakeBlockedSignalsTheOwnOnesFirst) {
  Mail mail;
  mail.signal_mask = signal_bit(10) | signal_bit(12);
  std::uint64_t common = signal_bit(10);
  leave_signal(mail, 10);
  leave_signal(mail, 12);
  EXPECT_EQ(waiting_in_set(mail, common, signal_bit(15)), 0u);
  EXPECT_EQ(take_waited(mail, common, signal_bit(10)), 10);
  EXPECT_EQ(mail.signals, signal_bit(12));
  EXPECT_EQ(common, signal_bit(10));
  EXPECT_EQ(take_waited(mail, common, signal_bit(10) | signal_bit(12)), 10);
  EXPECT_EQ(common, 0u);
  EXPECT_EQ(take_waited(mail, common, signal_bit(10) | signal_bit(12)), 12);
  EXPECT_EQ(mail.signals, 0u);
}

TEST(Mail, SignalsForTheProcessGoToWhoeverLetsThemThrough) {
  Mail mail;
  mail.signal_mask = signal_bit(10);
  std::uint64_t common = signal_bit(10) | signal_bit(12);
  take_common(mail, common);
  EXPECT_EQ(mail.signals, signal_bit(12));
  EXPECT_EQ(common, signal_bit(10));
}

TEST(Mail, CancellationNeedsAPointUnlessItIsAsynchronous) {
  Mail mail;
  EXPECT_FALSE(must_cancel(mail, true));
  mail.cancel_requested = true;
  EXPECT_TRUE(must_cancel(mail, true));
  EXPECT_FALSE(must_cancel(mail, false));
  mail.cancel_at_once = true;
  EXPECT_TRUE(must_cancel(mail, false));
  mail.cancel_disabled = true;
  EXPECT_FALSE(must_cancel(mail, true));
  mail.cancel_disabled = false;
  mail.cancelling = true;
  EXPECT_FALSE(must_cancel(mail, true));
}

OperationView exits(ThreadIndex thread, std::uint8_t how) {
  OperationView op;
  op.kind = OpKind::kExit;
  op.bits = how;
  op.thread = thread;
  return op;
}

TEST(ProcessExit, HandlersRunOnce) {
  ExitState state;
  EXPECT_TRUE(ask(state, exits(1, kExitByHandlers)).enabled);
  EXPECT_TRUE(apply(state, exits(1, kExitByHandlers)));
  EXPECT_FALSE(ask(state, exits(2, kExitByHandlers)).enabled);
  EXPECT_TRUE(ask(state, exits(2, kExitAtOnce)).enabled);
  EXPECT_TRUE(apply(state, exits(1, kExitByHandlers))) << "the end of the handlers";
  EXPECT_FALSE(apply(state, exits(2, kExitByHandlers)));
}

}  // namespace
}  // namespace ravel
