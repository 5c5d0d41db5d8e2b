// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small numbers for threads by lineage: the same in all executions, whoever was created first. Only grows, and an entry
// is written before it is counted, so it needs no recovery.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/hash.h"
#include "model/event.h"

namespace ravel {

class ThreadNames {
 public:
  static constexpr std::uint32_t kMost = 1u << 14;

  explicit ThreadNames(std::pmr::memory_resource& memory)
      : rows_(static_cast<Row*>(memory.allocate(sizeof(Row) * kMost, alignof(Row)))),
        slots_(static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * kSlots, alignof(std::uint32_t)))) {
    for (std::uint32_t i = 0; i < kSlots; ++i) slots_[i] = 0;
  }

  // kNoThread when there are too many.
  std::uint32_t name_of(std::uint32_t parent_name, std::uint32_t ordinal) {
    std::uint32_t at = static_cast<std::uint32_t>(hash_combine(parent_name, ordinal)) & (kSlots - 1);
    for (; slots_[at] != 0; at = (at + 1) & (kSlots - 1)) {
      const Row& row = rows_[slots_[at] - 1];
      if (row.parent == parent_name && row.ordinal == ordinal) return slots_[at] - 1;
    }
    if (count_ == kMost) return kNoThread;
    rows_[count_] = {parent_name, ordinal, 0};
    slots_[at] = ++count_;
    return count_ - 1;
  }

  // The index the thread had when it was last seen.
  void saw(std::uint32_t name, ThreadIndex index) { rows_[name].index = index; }
  [[nodiscard]] ThreadIndex last_index(std::uint32_t name) const {
    return name < count_ ? rows_[name].index : kNoThread;
  }

 private:
  struct Row {
    std::uint32_t parent;
    std::uint32_t ordinal;
    ThreadIndex index;
  };
  static constexpr std::uint32_t kSlots = 2 * kMost;

  Row* rows_;
  std::uint32_t* slots_;
  std::uint32_t count_ = 0;
};

}  // namespace ravel
