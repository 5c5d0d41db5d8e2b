// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A plain GoogleTest program of a hundred tests with two threads each; the last one loses an update.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

constexpr int kTests = 100;

class Hundred : public testing::TestWithParam<int> {};

TEST_P(Hundred, CountsTwice) {
  std::atomic<int> count{0};
  const bool is_wrong = GetParam() == kTests - 1;
  const auto add = [&] {
    if (is_wrong) {
      count.store(count.load() + 1);
    } else {
      ++count;
    }
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  EXPECT_EQ(count.load(), 2);
}

INSTANTIATE_TEST_SUITE_P(All, Hundred, testing::Range(0, kTests));

}  // namespace
