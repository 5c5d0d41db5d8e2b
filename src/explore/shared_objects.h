// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which objects several threads used in an execution, and at which places of the code: for strategies that pick one
// object per execution. Two lists, of which one is in use: a kill while learning leaves the other one as it was.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/random.h"
#include "explore/strategy.h"
#include "model/plan.h"

namespace ravel {

struct SharedObject {
  std::uint64_t place = 0;  // in the execution that was learned from
  std::uint32_t threads = 0;
  LocationId at[kMaxParkPlaces];           // 0 ends the list
  std::uint16_t counts[kMaxCounted] = {};  // operations by thread
};

class SharedObjects {
 public:
  struct State {
    std::uint32_t objects = 0;
    std::uint32_t learned = 0;  // which of the two lists
  };

  explicit SharedObjects(std::pmr::memory_resource& memory);

  // Forgets what was known, in `state` only.
  void learn(State& state, const Execution& execution) const;
  // n < state.objects.
  [[nodiscard]] const SharedObject& nth(const State& state, std::uint64_t n) const { return list(state)[n]; }
  // Policy `surw' for one of them. There is one.
  void fill(PolicySpec& policy, const State& state, Random& random) const;

 private:
  static constexpr std::uint32_t kMostObjects = 64;
  [[nodiscard]] SharedObject* list(const State& state) const { return lists_ + state.learned % 2 * kMostObjects; }

  SharedObject* lists_;
};

}  // namespace ravel
