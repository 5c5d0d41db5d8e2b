// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The priorities of partial order sampling (pos_policy.cc has the paper), shared by POS and what is built on it.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "runtime/policy/policy.h"

namespace ravel {

class PosOrder {
 public:
  void begin(std::uint64_t seed);
  // Before priorities are asked for, once for each decision; settle() behind the last of them.
  void look(const Ready& ready);
  [[nodiscard]] std::uint64_t priority_of(const OperationView& pending);
  void settle() { recent_count_ = 0; }
  void executed(const OperationView& operation);

 private:
  static constexpr unsigned kRecent = 16;
  // Also true when the thread itself has moved on: operations of one thread are dependent.
  [[nodiscard]] bool must_draw(const OperationView& pending) const;

  Random random_{0};
  unsigned recent_count_ = 0;
  OperationView recent_[kRecent] = {};
};

}  // namespace ravel
