// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include <string_view>

#include "base/invariant.h"
#include "support/runtime_fixture.h"

namespace ravel::rt {
namespace {

class StateTest : public RuntimeTest {};

// Not a signal of the program: the process would trap, and the trap would be reported as the program's own.
TEST_F(StateTest, ABrokenInvariantIsAnInternalErrorAndNoFinding) {
  make_thread();
  const auto break_one = [] {
    set_invariant_handler(stop_at_broken_invariant);
    INVARIANT(g.live == 2, "two threads live");
  };
  EXPECT_EXIT(break_one(), ::testing::KilledBySignal(SIGABRT), "internal error.*two threads live.*g.live == 2");
  EXPECT_EQ(block.result.outcome, OutcomeKind::kInternal);
  EXPECT_EQ(block.result.finished, 1u);
  EXPECT_NE(std::string_view(block.result.message).find("two threads live"), std::string_view::npos);
}

}  // namespace
}  // namespace ravel::rt
