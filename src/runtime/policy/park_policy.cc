// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Park: a random walk in which a thread whose pending operation stands at one of the listed places waits until every
// enabled thread does; then one of them, at random, goes on. So threads gather around the places of a predicted defect
// (Joshi, Park, Sen, Naik, "A randomized dynamic program analysis technique for detecting real deadlocks", PLDI 2009;
// Sen, "Race directed random testing of concurrent programs", PLDI 2008).
//
// Departures: places only, without the objects. A thread that yields has nothing to do but wait, so it holds nobody
// back; nor does anybody for more than a bounded number of choices: a loop that waits for the parked thread ends.
#include "base/random.h"
#include "runtime/policy/policies.h"

namespace ravel {

namespace {

class Park final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    random_ = Random(spec.seed);
    held_back_ = 0;
    places_ = 0;
    for (; places_ < kMaxParkPlaces && spec.park_at[places_] != 0; ++places_) at_[places_] = spec.park_at[places_];
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    std::size_t free = 0;
    std::size_t working = 0;
    for (const OperationView& pending : ready.operations) {
      free += !is_parked(pending);
      working += !is_parked(pending) && pending.kind != OpKind::kYield;
    }
    held_back_ = free == ready.operations.size() ? 0 : held_back_ + 1;
    if (free == 0 || (held_back_ != 0 && working == 0) || held_back_ > kPatience) {
      held_back_ = 0;
      return static_cast<std::size_t>(random_.below(ready.operations.size()));
    }
    std::uint64_t nth = random_.below(free);
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (!is_parked(ready.operations[i]) && nth-- == 0) return i;
    }
    return 0;
  }
  [[nodiscard]] bool watches() const override { return false; }

 private:
  static constexpr std::uint64_t kPatience = 2'000;

  [[nodiscard]] bool is_parked(const OperationView& pending) const {
    for (unsigned i = 0; i < places_; ++i) {
      if (at_[i] == pending.location) return true;
    }
    return false;
  }

  Random random_{0};
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
