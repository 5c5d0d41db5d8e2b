// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The order in which threads run when nobody is interrupted; shared by run-on and preempt.
//
// The current thread goes on while it can. Otherwise the first of the others: seed 0 by index, any other seed by a
// permutation of the indices. A thread that yields goes behind all that have not yielded, and behind those that yielded
// before it: so threads that wait for each other by spinning take turns and starve nobody.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/policy/policy.h"

namespace ravel {

class RunOnOrder {
 public:
  void begin(std::uint64_t seed);
  [[nodiscard]] std::size_t pick(const Ready& ready);

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t yields_ = 0;
};

}  // namespace ravel
