// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// OperationCounts: how many operations of each kind one execution had. Of the many kinds a small execution has a few,
// so the kinds that occurred are listed: emptying and adding up cost nothing for the others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/event.h"

namespace ravel {

class OperationCounts {
 public:
  void clear() {
    for (std::size_t i = 0; i < used_; ++i) counts_[kinds_[i]] = 0;
    used_ = 0;
  }
  // What is no kind of operation is not counted.
  void add(OpKind kind) {
    if (kind >= OpKind::kCount) return;
    const auto at = static_cast<std::uint8_t>(kind);
    if (counts_[at]++ == 0) kinds_[used_++] = at;
  }
  // To counts of all kinds.
  void add_to(std::uint64_t* totals) const {
    for (std::size_t i = 0; i < used_; ++i) totals[kinds_[i]] += counts_[kinds_[i]];
  }

 private:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(OpKind::kCount);
  static_assert(kKinds <= 256, "a kind fits into a byte");

  std::uint64_t counts_[kKinds] = {};
  std::uint8_t kinds_[kKinds] = {};
  std::size_t used_ = 0;
};

}  // namespace ravel
