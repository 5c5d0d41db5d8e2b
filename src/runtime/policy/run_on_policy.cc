// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Run-on: no preemption. Finds what already fails without one (lost signals, deadlocks by order of start), and is the
// ground that preempt builds on. With seed s the order of threads is a fixed random permutation.
#include "base/large_table.h"
#include "base/random.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/run_on_order.h"
#include "runtime/policy/thread_table.h"

namespace ravel {

namespace {

// When a thread yielded last, as a running number. One table is enough: one policy runs at a time.
RAVEL_LARGE_TABLE constinit ThreadTable<std::uint64_t> yielded_at;

class RunOn final : public Policy {
 public:
  void begin(const PolicySpec& spec) override { order_.begin(spec.seed); }
  [[nodiscard]] std::size_t pick(const Ready& ready) override { return order_.pick(ready); }
  [[nodiscard]] bool watches() const override { return false; }
  [[nodiscard]] bool goes_on() const override { return true; }

 private:
  RunOnOrder order_;
};

constinit RunOn run_on;

}  // namespace

void RunOnOrder::begin(std::uint64_t seed) {
  seed_ = seed;
  yields_ = 0;
  yielded_at.forget_all();
}

std::size_t RunOnOrder::pick(const Ready& ready) {
  const auto current = static_cast<std::size_t>(ready.current);
  if (ready.current >= 0) {
    if (!ready.yielded) return current;
    yielded_at.store(ready.operations[current].thread, ++yields_);
  }
  std::size_t best = 0;
  std::uint64_t best_yield = 0;
  std::uint64_t best_rank = 0;
  for (std::size_t i = 0; i < ready.operations.size(); ++i) {
    const ThreadIndex thread = ready.operations[i].thread;
    const std::uint64_t* stamp = yielded_at.find(thread);
    const std::uint64_t yield = stamp == nullptr ? 0 : *stamp;
    const std::uint64_t rank = seed_ == 0 ? thread.number() : derive_seed(seed_, thread);
    if (i == 0 || yield < best_yield || (yield == best_yield && rank < best_rank)) {
      best = i;
      best_yield = yield;
      best_rank = rank;
    }
  }
  return best;
}

Policy& run_on_policy() {
  return run_on;
}

}  // namespace ravel
