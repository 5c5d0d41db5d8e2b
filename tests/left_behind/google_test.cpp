// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A GoogleTest binary, whole: registration, output, both tests.
//
// isolation: any
// libraries: -lgtest -lgtest_main
#include <gtest/gtest.h>

#include "left_behind.h"

namespace {
int runs = 0;

TEST(LeftBehind, First) {
  EXPECT_EQ(++runs, 1);
  in_two_threads([](int) {});
}

TEST(LeftBehind, Second) {
  EXPECT_EQ(++runs, 2);
}
}  // namespace
