// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// POS, partial order sampling: Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018. Every pending
// event has a random priority and the highest enabled one runs; pending events that are dependent on the executed one
// draw again. Orders of independent events then cost no probability, so traces are sampled more evenly than by a random
// walk.
//
// Departures: dependence is that of semantics/dependence.h on pending operations, without outcomes. Executed operations
// are collected and applied at the next decision, since pick is not asked while only one thread is enabled; when there
// were more than kRecent of them, all pending events draw again. When the current thread yields or spins, all draw
// again: an event with a very small priority would otherwise wait for as many turns of the spinning thread.
//
// Threads may be asked to start together (model/policy_depth.h). Nobody waits for that while a thread yields or
// spins: it may be waiting for one of them.
#include "base/large_table.h"
#include "model/policy_depth.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/pos_order.h"
#include "runtime/policy/thread_table.h"
#include "semantics/dependence.h"

namespace ravel {

namespace {

RAVEL_LARGE_TABLE constinit ThreadTable<std::uint64_t> priorities;

class Pos final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    order_.begin(spec.seed);
    together_ = spec.depth == kStartTogether;
    started_ = 0;
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    order_.look(ready);
    if (together_) let_start(ready);
    std::size_t best = 0;
    std::uint64_t best_priority = 0;
    bool found = false;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const std::uint64_t priority = order_.priority_of(ready.operations[i]);
      if (waits(ready.operations[i]) || (found && priority <= best_priority)) continue;
      best = i;
      best_priority = priority;
      found = true;
    }
    order_.settle();
    return best;
  }

  void executed(const OperationView& operation) override { order_.executed(operation); }

 private:
  [[nodiscard]] bool waits(const OperationView& pending) const {
    return together_ && pending.kind == OpKind::kThreadStart && pending.thread >= started_;
  }
  // The last of them was created last.
  void let_start(const Ready& ready) {
    for (const OperationView& pending : ready.operations) {
      if (pending.kind == OpKind::kThreadCreate) return;
    }
    started_ = ready.operations.back().thread + 1;
  }

  PosOrder order_;
  bool together_ = false;
  ThreadIndex started_ = 0;  // threads before this one may begin
};

constinit Pos pos;

}  // namespace

void PosOrder::begin(std::uint64_t seed) {
  priorities.forget_all();
  random_ = Random(seed);
  recent_count_ = 0;
}

void PosOrder::look(const Ready& ready) {
  if (ready.yielded || recent_count_ > kRecent) priorities.forget_all();
}

void PosOrder::executed(const OperationView& operation) {
  if (recent_count_ < kRecent) recent_[recent_count_] = operation;
  if (recent_count_ <= kRecent) ++recent_count_;
}

std::uint64_t PosOrder::priority_of(const OperationView& pending) {
  const std::uint64_t* known = priorities.find(pending.thread);
  if (known != nullptr && !must_draw(pending)) return *known;
  return priorities.store(pending.thread, random_.next());
}

bool PosOrder::must_draw(const OperationView& pending) const {
  for (unsigned i = 0; i < recent_count_ && i < kRecent; ++i) {
    if (dependent(recent_[i], pending)) return true;
  }
  return false;
}

Policy& pos_policy() {
  return pos;
}

}  // namespace ravel
