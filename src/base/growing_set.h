// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// GrowingSet: a set of 64-bit keys in memory that it is given, zero to begin with. It stays as small as what is in it,
// since each page that is touched for the first time costs a page fault.
//
// A table of `capacity` slots lies at [capacity, 2 * capacity) of the memory, so the next larger one is beside it, not
// over it: growing copies, and the larger one counts from the moment on that the caller uses its capacity. The caller
// keeps that number where it survives a killed process; all of this can be done twice.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

class GrowingSet {
 public:
  static constexpr std::uint32_t kFirstCapacity = 256;  // with what lies below it, one page

  // `entries` is a power of two.
  static constexpr std::size_t bytes_for(std::uint32_t entries) { return sizeof(std::uint64_t) * 4 * entries; }

  explicit GrowingSet(void* zeros = nullptr) : slots_(static_cast<std::uint64_t*>(zeros)) {}

  // 0 is no key.
  [[nodiscard]] bool contains(std::uint64_t key, std::uint32_t capacity) const {
    return slots_[slot_of(key, capacity)] != 0;
  }
  void enter(std::uint64_t key, std::uint32_t capacity) { slots_[slot_of(key, capacity)] = key; }

  // The capacity for `entries`, at most one more than there are now. When it is a larger one, its table has all keys of
  // the smaller one. At most half of the slots are used.
  [[nodiscard]] std::uint32_t grow(std::uint32_t entries, std::uint32_t capacity) {
    if (entries <= capacity / 2) return capacity;
    const std::uint64_t* const old = slots_ + capacity;
    for (std::uint32_t i = 0; i < capacity; ++i) {
      if (old[i] != 0) enter(old[i], 2 * capacity);
    }
    return 2 * capacity;
  }

 private:
  // The slot that has it, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::uint64_t key, std::uint32_t capacity) const {
    const std::size_t mask = std::size_t{capacity} - 1;
    std::size_t i = key & mask;
    while (slots_[capacity + i] != 0 && slots_[capacity + i] != key) i = (i + 1) & mask;
    return capacity + i;
  }

  std::uint64_t* slots_;
};

}  // namespace ravel
