// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Policy: who runs next WITHIN one execution. Called only when two or more threads are enabled and the plan's prefix is
// used up. A policy is a function of its PolicySpec and of what it was shown: no clocks, no addresses as order, no
// allocation (it runs inside the tested process). Strategies, which choose plans ACROSS executions, are in explore/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/guide.h"
#include "model/plan.h"
#include "runtime/policy/goal_seat.h"
#include "semantics/operation_view.h"

namespace ravel {

// The enabled threads in order of creation, each with its pending operation.
struct Ready {
  std::span<const OperationView> operations;
  int current = -1;      // index of the thread that ran last if it is still enabled, else -1
  bool yielded = false;  // that thread asked to be set back (yield, or it spins on an unchanged value)
};

class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  // Forget everything; called at the start of each execution.
  virtual void begin(const PolicySpec& spec) = 0;
  // Index into ready.operations of the thread to run; ready.operations is never empty and has at least two entries.
  // kGiveUp: the execution is of no use any more, and ends here.
  static constexpr std::size_t kGiveUp = ~std::size_t{0};
  [[nodiscard]] virtual std::size_t pick(const Ready& ready) = 0;
  // Before begin(): what guided searches need beside the spec.
  virtual void guide(const GuideSeat& seat) { (void)seat; }
  // Before begin(): the goals of the plan.
  virtual void seek(const GoalSeat& seat) { (void)seat; }
  // Every operation that is executed, chosen or forced; also while the prefix decides. Cheap.
  virtual void executed(const OperationView& operation) { (void)operation; }
  // False: it ignores executed events and gets none. Asked once, after begin().
  [[nodiscard]] virtual bool watches() const { return true; }
  // Threads that cannot go on, each time somebody has to be chosen. Only if watches_blocked() says so after begin().
  virtual void blocked(const OperationView& operation) { (void)operation; }
  [[nodiscard]] virtual bool watches_blocked() const { return false; }
  // A thread has come to its next operation. Only if watches_blocked().
  virtual void arrived(const OperationView& operation) { (void)operation; }
  // Whether the execution is of no use any more, as by kGiveUp: asked also where nobody has to be chosen, behind
  // arrived().
  [[nodiscard]] virtual bool gives_up() const { return false; }
  // A data choice was made. Only if it watches.
  virtual void chose(ThreadIndex thread, std::uint32_t taken) { (void)thread, (void)taken; }
  // True: it always picks the thread that ran last, if that can go on and did not yield.
  [[nodiscard]] virtual bool goes_on() const { return false; }
  // True: it picks by the number of threads alone, never gives up, and needs to see no operation.
  [[nodiscard]] virtual bool is_blind() const { return false; }

 protected:
  ~Policy() = default;
};

// The policy for a spec; objects are static, one of each kind in a process.
Policy& policy_for(PolicyKind kind);

}  // namespace ravel
