// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "stock.h"

#include <gtest/gtest.h>

#include <thread>

namespace {

int left_after_two_sales(int count) {
  Stock stock(count);
  std::thread first([&stock] { stock.sell(); });
  std::thread second([&stock] { stock.sell(); });
  first.join();
  second.join();
  return stock.count();
}

TEST(Stock, TwoOfThree) {
  EXPECT_EQ(left_after_two_sales(3), 1);
}

TEST(Stock, TheLastOne) {
  EXPECT_EQ(left_after_two_sales(1), 0);
}

}  // namespace
