// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Preempt: run-on with forced switches at listed decisions, the building block of context-bounded search
// (Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007).
//
// A decision is a call of pick: the n-th choice that is the policy's, counted from 0 after the plan's prefix. A forced
// switch goes to the rank-th of the threads that run-on would not take, so it never repeats the schedule without it.
#include "base/random.h"
#include "model/policy_depth.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/run_on_order.h"

namespace ravel {

namespace {

class Preempt final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    order_.begin(spec.seed);
    random_ = Random(spec.seed);
    any_order_ = spec.depth == kAnyOrder;
    decision_ = 0;
    switches_ = spec.switches < kMaxForcedSwitches ? spec.switches : kMaxForcedSwitches;
    for (unsigned i = 0; i < switches_; ++i) forced_[i] = spec.forced[i];
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    const std::uint32_t decision = decision_++;
    const std::size_t usual = any_order_ ? any(ready) : order_.pick(ready);
    for (unsigned i = 0; i < switches_; ++i) {
      if (forced_[i].decision != decision) continue;
      const std::size_t rank = forced_[i].rank % (ready.operations.size() - 1);
      return rank < usual ? rank : rank + 1;
    }
    return usual;
  }
  [[nodiscard]] bool watches() const override { return false; }

 private:
  [[nodiscard]] std::size_t any(const Ready& ready) {
    // Who yields gives way to the others in turn.
    if (ready.current >= 0) return order_.pick(ready);
    return static_cast<std::size_t>(random_.below(ready.operations.size()));
  }

  RunOnOrder order_;
  Random random_{0};
  bool any_order_ = false;
  std::uint32_t decision_ = 0;
  unsigned switches_ = 0;
  ForcedSwitch forced_[kMaxForcedSwitches] = {};
};

constinit Preempt preempt;

}  // namespace

Policy& preempt_policy() {
  return preempt;
}

}  // namespace ravel
