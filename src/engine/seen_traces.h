// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Traces in which nothing was found, so that the same trace again is not searched again: sampling small programs meets
// most of their traces many times. A trace is known by a hash over all bits of its events, values and contexts included:
// whatever looks at events alone comes to the same result again. What does not fit is not known, which costs time only.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>

#include "base/growing_set.h"
#include "base/hash.h"
#include "model/event.h"

namespace ravel {

class SeenTraces {
 public:
  static constexpr std::size_t kLongest = 4096;  // events; longer ones hardly come again

  explicit SeenTraces(std::pmr::memory_resource& memory)
      : memory_(static_cast<unsigned char*>(memory.allocate(GrowingSet::bytes_for(kMaxEntries), alignof(std::uint64_t)))),
        keys_(memory_) {
    clear_table(capacity_);
  }

  // Never 0.
  [[nodiscard]] static std::uint64_t key_of(std::span<const Event> events) {
    static_assert(sizeof(Event) == 4 * sizeof(std::uint64_t));
    std::uint64_t key = events.size();
    for (const Event& e : events) {
      std::uint64_t word[4];
      std::memcpy(word, &e, sizeof word);
      // The event by itself first: only the last line waits for the event before.
      std::uint64_t sum = fold(word[0] ^ kFactor);
      for (int i = 1; i < 4; ++i) sum = fold(sum ^ word[i]);
      key = fold(key ^ sum);
    }
    key = mix64(key);
    return key == 0 ? 1 : key;
  }

  [[nodiscard]] bool contains(std::uint64_t key) const { return keys_.contains(key, capacity_); }
  void add(std::uint64_t key) {
    if (entries_ == kMaxEntries) return;
    if (entries_ + 1 > capacity_ / 2) clear_table(2 * capacity_);
    capacity_ = keys_.grow(++entries_, capacity_);
    keys_.enter(key, capacity_);
  }

 private:
  static constexpr std::uint32_t kMaxEntries = 1u << 16;
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;

  static std::uint64_t fold(std::uint64_t x) {
    x *= kFactor;
    return x ^ (x >> 29);
  }
  void clear_table(std::uint32_t capacity) {
    std::memset(memory_ + sizeof(std::uint64_t) * capacity, 0, sizeof(std::uint64_t) * capacity);
  }

  unsigned char* memory_;  // of a worker that died, perhaps: a table is emptied before it is used
  GrowingSet keys_;
  std::uint32_t entries_ = 0;
  std::uint32_t capacity_ = GrowingSet::kFirstCapacity;
};

}  // namespace ravel
