// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SequenceCheck: the fingerprints of all sequences that were run, for `--strategy reachability,self-check=on'. The
// search itself stores none; the check says whether it kept its word. A fingerprint is a sum over the completions, so
// that it does not depend on the order in which unordered ones came.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/growing_set.h"
#include "base/hash.h"
#include "explore/race_sets.h"

namespace ravel {

class SequenceCheck {
 public:
  static constexpr std::uint32_t kMostEntries = 1u << 19;

  // What has to survive a killed process.
  struct Filled {
    std::uint32_t entries = 0;
    std::uint32_t capacity = GrowingSet::kFirstCapacity;
    std::uint32_t search = 0;  // number of the search, counted up at each restart
  };

  // Nothing is kept unless it is `on'.
  SequenceCheck(std::pmr::memory_resource& memory, bool on)
      : memory_(on ? memory.allocate(GrowingSet::bytes_for(kMostEntries), 8) : nullptr), seen_(memory_) {}

  // Nothing more can be checked.
  [[nodiscard]] bool is_full(const Filled& filled) const {
    return memory_ != nullptr && filled.entries == kMostEntries;
  }
  // True: it was there before.
  [[nodiscard]] bool came_before(const RaceSets& races, Filled& filled) {
    if (memory_ == nullptr || is_full(filled)) return false;
    const std::uint64_t key = mix64(fingerprint(races) + filled.search) | 1;
    filled.capacity = seen_.grow(filled.entries + 1, filled.capacity);
    // A process that was killed may have entered it without having learnt from the execution. No table has this slot.
    Last& last = *static_cast<Last*>(memory_);
    const bool again = last.key == key && last.entries == filled.entries;
    if (!again && seen_.contains(key, filled.capacity)) return true;
    last = {key, filled.entries};
    seen_.enter(key, filled.capacity);
    ++filled.entries;
    return false;
  }

 private:
  static std::uint64_t fingerprint(const RaceSets& races) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < races.completed(); ++i) {
      const RaceSets::SequenceStep& event = races[i];
      if (event.withdrawn) continue;
      const std::uint64_t where = event.choice ? event.step->act.choice : hash_combine(event.object, event.position);
      sum += mix64(hash_combine(hash_combine(where, event.thread), event.number));
    }
    return sum;
  }

  struct Last {
    std::uint64_t key;
    std::uint64_t entries;
  };
  void* memory_;
  GrowingSet seen_;
};

}  // namespace ravel
