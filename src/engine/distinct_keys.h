// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// DistinctKeys: how many different keys executions had, exact up to a limit. The counts are part of the campaign's
// counters and take effect with them; the key of the last execution is entered behind the commit, and again on restart.
#pragma once

#include <cstdint>

#include "base/growing_set.h"
#include "base/hash.h"

namespace ravel {

class DistinctKeys {
 public:
  // Zero is the state before the first key.
  struct Counts {
    std::uint64_t distinct = 0;  // since the search last started over
    std::uint64_t last = 0;      // to be entered, if it is new
    std::uint32_t entered = 0;   // in the table
    std::uint32_t capacity = GrowingSet::kFirstCapacity;
    std::uint8_t is_new = 0;
  };

  DistinctKeys(void* zeros, std::uint32_t most) : table_(zeros), most_(most) {}

  // Keys of earlier searches do not count: they are salted by the number of the search.
  [[nodiscard]] static std::uint64_t salted(std::uint64_t key, std::uint32_t search) {
    const std::uint64_t value = search == 0 ? key : hash_combine(key, search);
    return value == 0 ? 1 : value;
  }
  [[nodiscard]] bool knows(const Counts& now, std::uint64_t key, std::uint32_t search) const {
    return table_.contains(salted(key, search), now.capacity);
  }
  // `counts': the execution does. `known': what knows() says of the key, for a caller that has asked before.
  void count(Counts& next, std::uint64_t key, std::uint32_t search, bool counts) {
    count(next, key, search, counts, counts && knows(next, key, search));
  }
  void count(Counts& next, std::uint64_t key, std::uint32_t search, bool counts, bool known) {
    next.last = salted(key, search);
    next.is_new = counts && next.entered < most_ && !known;
    next.distinct += next.is_new;
    next.entered += next.is_new;
    next.capacity = table_.grow(next.entered, next.capacity);
  }
  void enter_last(const Counts& now) {
    if (now.is_new != 0) table_.enter(now.last, now.capacity);
  }
  [[nodiscard]] bool is_full(const Counts& now) const { return now.entered >= most_; }

 private:
  GrowingSet table_;
  std::uint32_t most_;
};

}  // namespace ravel
