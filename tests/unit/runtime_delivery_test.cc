// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "runtime/schedule/schedule_log.h"
#include "runtime/signals/delivery.h"
#include "support/runtime_fixture.h"

namespace ravel::rt {
namespace {

class DeliveryTest : public RuntimeTest {
 protected:
  DeliveryTest() : main(make_thread()), other(make_thread()) {}
  ~DeliveryTest() override {
    // What nobody took stays in the mailbox of the process.
    g.current = &main;
    main.signal_mask = 0;
    take_process_signals();
  }

  VirtualThread& main;
  VirtualThread& other;
};

TEST_F(DeliveryTest, ASignalOfTheProcessGoesToWhoDoesNotBlockIt) {
  main.signal_mask = signal_bit(SIGUSR1);
  post_signal(SIGUSR1, SI_QUEUE, nullptr);
  EXPECT_FALSE(has_signal(main));
  EXPECT_TRUE(has_signal(other));
  EXPECT_EQ(block.result.data_choices, 0u);  // there is one receiver
}

TEST_F(DeliveryTest, TheReceiverIsAChoiceOfTheSchedule) {
  block.prefix[0] = {kDataChoice | 1, 1};
  block.plan.prefix_segments = 1;
  begin_schedule_log();
  post_signal(SIGUSR1, SI_QUEUE, nullptr);
  EXPECT_FALSE(has_signal(main));
  EXPECT_TRUE(has_signal(other));
  EXPECT_EQ(block.result.data_choices, 1u);
}

TEST_F(DeliveryTest, WhatAllBlockWaitsForWhoUnblocksIt) {
  main.signal_mask = other.signal_mask = signal_bit(SIGUSR1);
  post_signal(SIGUSR1, SI_QUEUE, nullptr);
  EXPECT_EQ(main.signals | other.signals, 0u);
  main.signal_mask = 0;
  take_process_signals();
  EXPECT_TRUE(has_signal(main));
  EXPECT_FALSE(run_handlers());  // the handler of the fixture has no SA_RESTART
  EXPECT_EQ(handled, std::vector<int>{SIGUSR1});
  EXPECT_FALSE(has_signal(main));
}

TEST_F(DeliveryTest, HandlersRunByNumberAndBlockedOnesStay) {
  main.signals = signal_bit(SIGUSR2) | signal_bit(SIGHUP) | signal_bit(SIGTERM);
  main.signal_mask = signal_bit(SIGTERM);
  (void)run_handlers();
  EXPECT_EQ(handled, (std::vector<int>{SIGHUP, SIGUSR2}));
  EXPECT_EQ(main.signals, signal_bit(SIGTERM));
  EXPECT_EQ(events.size(), 4u);  // each begins and ends
}

TEST_F(DeliveryTest, ASignalThatIsWaitedForIsTakenOnce) {
  const std::uint64_t set = signal_bit(SIGUSR1);
  main.signal_mask = other.signal_mask = set;
  while_waiting = [&] { post_signal(SIGUSR1, SI_QUEUE, nullptr); };
  EXPECT_EQ(wait_for_signal(set, nullptr, kNever, 0), SIGUSR1);
  EXPECT_THROW((void)wait_for_signal(set, nullptr, kNever, 0), Blocked);
  EXPECT_TRUE(handled.empty());
}

TEST_F(DeliveryTest, AWaitForASignalEndsByItsDeadline) {
  const std::uint64_t set = signal_bit(SIGUSR1);
  main.signal_mask = set;
  while_waiting = [&] { main.wake = WakeReason::kTimeout; };
  EXPECT_EQ(wait_for_signal(set, nullptr, 50, 0), -EAGAIN);
  while_waiting = [&] { main.wake = WakeReason::kInterrupted; };
  EXPECT_EQ(wait_for_signal(set, nullptr, 50, 0), -EINTR);
}

TEST_F(DeliveryTest, WhatIsSentToAThreadThatHasEndedIsAnEventAndLost) {
  constexpr ThreadIndex kEnded = 99;
  EXPECT_FALSE(send_to_thread(kEnded, SIGUSR1, SI_TKILL, nullptr, 0));
  request_cancel(kEnded, 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].value, kEnded);
  EXPECT_EQ(main.signals | other.signals, 0u);
  EXPECT_FALSE(main.cancel_requested || other.cancel_requested);
}

TEST_F(DeliveryTest, NumberZeroIsOnlyAQuestion) {
  EXPECT_TRUE(send_to_thread(other.index, 0, SI_TKILL, nullptr, 0));
  EXPECT_EQ(events.size(), 1u);
  EXPECT_EQ(other.signals, 0u);
}

TEST_F(DeliveryTest, NothingIsLeftOverOfTheOperationBefore) {
  main.pending.interruption = Interruption::kAlways;
  main.pending.cancellable = true;
  main.pending.deadline = 5;
  main.pending.set({OpKind::kAtomicLoad, 0, 4, 0, 0, 0});
  EXPECT_EQ(main.pending.interruption, Interruption::kNone);
  EXPECT_FALSE(main.pending.cancellable);
  EXPECT_EQ(main.pending.deadline, kNever);
}

TEST_F(DeliveryTest, CancellationWaitsForACancellationPoint) {
  main.cancel_requested = true;
  main.pending = {};
  EXPECT_NO_THROW(act_on_cancellation());
  main.pending.cancellable = true;
  main.cancel_disabled = true;
  EXPECT_NO_THROW(act_on_cancellation());
  main.cancel_disabled = false;
  EXPECT_THROW(act_on_cancellation(), Ended);
}

}  // namespace
}  // namespace ravel::rt
