// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A runtime of parts: threads made by hand, a shared block, and a scheduling point that does not switch. Instead the
// test says what the other threads do while the running one waits; a wait that nothing ends is thrown as Blocked, the
// end of an execution as Ended.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/scheduler_state.h"

namespace ravel::rt {

struct Blocked {};
struct Ended {
  OutcomeKind kind;
};

struct Recorded {
  OpKind kind;
  std::uint8_t bits;
  std::uint64_t value;
};

class RuntimeTest : public ::testing::Test {
 protected:
  RuntimeTest();
  ~RuntimeTest() override;

  // The n-th call makes thread n; the first is main, which runs.
  VirtualThread& make_thread();
  // Runs `what` as another thread, at whose end the running one goes on.
  void as(VirtualThread& thread, const std::function<void()>& what);

  SharedBlock& block;
  std::vector<std::unique_ptr<VirtualThread>> threads;

 public:
  // What the fakes keep for the tests.
  std::vector<Recorded> events;
  std::vector<int> handled;             // signals
  std::function<void()> while_waiting;  // what others do when the running thread is not enabled
  static RuntimeTest* running;
};

}  // namespace ravel::rt
