// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// CountedSet: different numbers in the order in which they came, behind a count that belongs to the caller's state.
// What is beyond the count does not exist, so a process may be killed at any time: a step that is taken back takes back
// the count, and what it had added is added again or not.
//
// Invariant: a slot that points beyond the count was written by a step that was taken back, and every entry behind it
// in its chain was too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "base/hash.h"

namespace ravel {

template <class T>
class CountedSet {
 public:
  CountedSet(std::pmr::memory_resource& memory, std::uint32_t most)
      : list_(static_cast<T*>(memory.allocate(sizeof(T) * most, alignof(T)))),
        slots_(static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * 2 * most, alignof(std::uint32_t)))),
        most_(most) {
    for (std::uint32_t i = 0; i < 2 * most; ++i) slots_[i] = 0;
  }

  [[nodiscard]] T operator[](std::uint32_t at) const { return list_[at]; }

  // True: it is new, and `count` has grown. False: it was there, or there is no room.
  bool add(std::uint32_t& count, T value) {
    if (count == most_) return false;
    auto slot = static_cast<std::uint32_t>(mix64(value) % (2 * most_));
    while (slots_[slot] != 0 && slots_[slot] <= count) {
      if (list_[slots_[slot] - 1] == value) return false;
      slot = slot + 1 == 2 * most_ ? 0 : slot + 1;
    }
    list_[count] = value;
    slots_[slot] = ++count;
    return true;
  }

 private:
  T* list_;
  std::uint32_t* slots_;  // place in the list + 1
  std::uint32_t most_;
};

}  // namespace ravel
