// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The call stack kept by the call-outs: ordinary ends of functions, ends by a jump to the call-out (as g++ -O2 makes
// them), and functions that a longjmp has left.
#include "runtime/state/shadow_stack.h"

#include <gtest/gtest.h>

#include <memory>

namespace ravel::rt {
namespace {

constexpr std::uintptr_t kBottom = 0x1000;
constexpr std::uintptr_t kTop = 0x9000;
// main's frame begins at 0x8000; calls push 8 bytes, call-outs a frame pointer more.
constexpr std::uintptr_t kMainCallOut = 0x8000 - 16;
constexpr std::uintptr_t kInnerReturn = 0x8000 - 8;                 // where main's call has put the return address
constexpr std::uintptr_t kInnerCallOut = kInnerReturn - 0x40 - 16;  // the inner function has a frame of 0x40 bytes
constexpr std::uintptr_t kStart = 0x10, kInMain = 0x20, kAfterCall = 0x30, kInInner = 0x40, kEndOfInner = 0x50;

std::uintptr_t function_of(const ShadowStack& calls, std::uintptr_t address) {
  return calls.function_at(address, kBottom, kTop).inside;
}

class ShadowStackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    calls->reset(0);
    calls->push(kStart, kMainCallOut, kInMain);
    calls->push(kAfterCall, kInnerCallOut, kInInner);
    ASSERT_EQ(function_of(*calls, 0x8010), kInMain);
    ASSERT_EQ(function_of(*calls, kInnerCallOut + 0x20), kInInner);
  }
  std::unique_ptr<ShadowStack> calls = std::make_unique<ShadowStack>();
};

TEST_F(ShadowStackTest, AnOrdinaryEndTakesOneFunctionOff) {
  calls->pop(kInnerCallOut, kEndOfInner);
  EXPECT_EQ(function_of(*calls, 0x8010), kInMain);
  calls->pop(kMainCallOut, kEndOfInner);
  EXPECT_EQ(function_of(*calls, 0x8010), 0u);
}

// The frame is gone when the call-out begins: it lies where one of main would.
TEST_F(ShadowStackTest, AnEndByAJumpTakesOneFunctionOff) {
  calls->pop(kInnerReturn - 8, kAfterCall);
  EXPECT_EQ(function_of(*calls, 0x8010), kInMain);
  EXPECT_EQ(function_of(*calls, kInnerCallOut + 0x20), 0u);
}

TEST_F(ShadowStackTest, WhatALongJumpHasLeftGoesWithItsCaller) {
  calls->pop(kMainCallOut, kEndOfInner);
  EXPECT_EQ(function_of(*calls, 0x8010), 0u);
}

}  // namespace
}  // namespace ravel::rt
