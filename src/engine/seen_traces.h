// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Traces in which nothing was found, so that the same trace again is not searched again: sampling small programs meets
// most of their traces many times. A trace is known by a hash over all bits of its events, values and contexts
// included: whatever looks at events alone comes to the same result again. What does not fit is not known, which costs
// time only.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>

#include "base/growing_set.h"
#include "base/hash.h"
#include "engine/fingerprint.h"
#include "model/event.h"

namespace ravel {

class SeenTraces {
 public:
  static constexpr std::size_t kLongest = 4096;  // events; longer ones hardly come again

  explicit SeenTraces(std::pmr::memory_resource& memory)
      : memory_(
            static_cast<unsigned char*>(memory.allocate(GrowingSet::bytes_for(kMaxEntries), alignof(std::uint64_t)))),
        keys_(memory_) {
    clear_table(capacity_);
  }

  // The key of a trace, event by event: the word that the fingerprint is made of, and what that leaves out.
  class Key {
   public:
    void add(std::uint64_t word, const Event& e) {
      const std::uint64_t rest = (std::uint64_t{e.context} << 8 | e.bits) * kSpread;
      state_ = Fingerprint::fold(state_, Fingerprint::fold(word + rest, e.value));
    }
    // Never 0.
    [[nodiscard]] std::uint64_t value() const {
      const std::uint64_t key = mix64(state_);
      return key == 0 ? 1 : key;
    }

   private:
    static constexpr std::uint64_t kSpread = 0xd6e8feb86659fd93ull;  // odd: different rests stay different
    std::uint64_t state_ = 0;
  };

  [[nodiscard]] bool contains(std::uint64_t key) const { return keys_.contains(key, capacity_); }
  void add(std::uint64_t key) {
    if (entries_ == kMaxEntries) return;
    if (entries_ + 1 > capacity_ / 2) clear_table(2 * capacity_);
    capacity_ = keys_.grow(++entries_, capacity_);
    keys_.enter(key, capacity_);
  }

 private:
  static constexpr std::uint32_t kMaxEntries = 1u << 16;
  void clear_table(std::uint32_t capacity) {
    std::memset(memory_ + sizeof(std::uint64_t) * capacity, 0, sizeof(std::uint64_t) * capacity);
  }

  unsigned char* memory_;  // of a worker that died, perhaps: a table is emptied before it is used
  GrowingSet keys_;
  std::uint32_t entries_ = 0;
  std::uint32_t capacity_ = GrowingSet::kFirstCapacity;
};

}  // namespace ravel
