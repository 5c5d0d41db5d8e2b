// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Park: partial order sampling in which a thread whose pending operation stands at one of the listed places waits until
// every enabled thread does; then one of them goes on. So threads gather around the places of a predicted defect
// (Joshi, Park, Sen, Naik, "A randomized dynamic program analysis technique for detecting real deadlocks", PLDI 2009;
// Sen, "Race directed random testing of concurrent programs", PLDI 2008).
//
// Departures: places only, without the objects. A thread that yields has nothing to do but wait, so it holds nobody
// back; nor does anybody for more than a bounded number of choices: a loop that waits for the parked thread ends.
#include "runtime/policy/policies.h"
#include "runtime/policy/pos_order.h"

namespace ravel {

namespace {

class Park final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    order_.begin(spec.seed);
    held_back_ = 0;
    places_ = 0;
    for (; places_ < kMaxParkPlaces && spec.park_at[places_] != 0; ++places_) at_[places_] = spec.park_at[places_];
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    order_.look(ready);
    std::size_t free = 0;
    std::size_t working = 0;
    for (const OperationView& pending : ready.operations) {
      free += !is_parked(pending);
      working += !is_parked(pending) && pending.kind != OpKind::kYield;
    }
    held_back_ = free == ready.operations.size() ? 0 : held_back_ + 1;
    const bool any = free == 0 || (held_back_ != 0 && working == 0) || held_back_ > kPatience;
    if (any) held_back_ = 0;
    const std::size_t chosen = first_of(ready, any);
    order_.settle();
    return chosen;
  }
  void executed(const OperationView& operation) override { order_.executed(operation); }

 private:
  static constexpr std::uint64_t kPatience = 2'000;

  [[nodiscard]] bool is_parked(const OperationView& pending) const {
    for (unsigned i = 0; i < places_; ++i) {
      if (at_[i] == pending.location) return true;
    }
    return false;
  }

  // By partial order sampling: `any`, or those that are not parked.
  [[nodiscard]] std::size_t first_of(const Ready& ready, bool any) {
    std::size_t best = ready.operations.size();
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const std::uint64_t priority = order_.priority_of(ready.operations[i]);
      if (!any && is_parked(ready.operations[i])) continue;
      if (best != ready.operations.size() && priority <= most) continue;
      best = i;
      most = priority;
    }
    return best;
  }

  PosOrder order_;
  std::uint64_t held_back_ = 0;  // choices in a row in which somebody was parked
  unsigned places_ = 0;
  LocationId at_[kMaxParkPlaces] = {};
};

constinit Park park;

}  // namespace

Policy& park_policy() {
  return park;
}

}  // namespace ravel
