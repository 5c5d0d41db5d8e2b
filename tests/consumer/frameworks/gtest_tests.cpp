// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <ravel/gtest.h>

#include "account.h"

RAVEL_TEST(Account, OneDeposit) {
  EXPECT_EQ(balance_after_one_deposit(), 10);
}

RAVEL_TEST(Account, TwoDeposits) {
  const int balance = balance_after_two_deposits();
  EXPECT_EQ(balance, 15) << "money was lost";  // here: explored
}

TEST(Account, PlainTwoDeposits) {
  ASSERT_EQ(balance_after_two_deposits(), 15);  // here: plain
}

class Bank : public testing::Test {
 protected:
  void SetUp() override { opened_ = 1; }
  int opened_ = 0;
};

TEST_F(Bank, Opens) {
  EXPECT_EQ(opened_, 1);
}

RAVEL_TEST_F(Bank, InAThread) {
  std::thread customer([this] {
    ++opened_;
    EXPECT_EQ(balance_after_two_deposits() + opened_, 17);  // here: thread
  });
  customer.join();
}
