// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small numbers for threads by lineage: the same in all executions, whoever was created first, and in all processes
// that have the table in common. Only grows; a row is written before a slot names it, and a slot is taken by one store,
// so it needs neither lock nor recovery. Who comes second with the same thread, or is killed, loses a row.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory_resource>

#include "base/hash.h"
#include "model/event.h"

namespace ravel {

class ThreadNames {
 public:
  static constexpr std::uint32_t kMost = 1u << 14;

  // `clear`: the memory is not known to be zero, and nobody else has it.
  ThreadNames(std::pmr::memory_resource& memory, bool clear)
      : table_(static_cast<Table*>(memory.allocate(sizeof(Table), alignof(Table)))) {
    if (!clear) return;
    for (std::atomic<std::uint32_t>& slot : table_->slots) slot.store(0, std::memory_order_relaxed);
    table_->count.store(0, std::memory_order_relaxed);
  }

  // kNoThread when there are too many.
  std::uint32_t name_of(std::uint32_t parent_name, std::uint32_t ordinal) {
    std::uint32_t mine = kNoThread;
    std::uint32_t at = static_cast<std::uint32_t>(hash_combine(parent_name, ordinal)) & (kSlots - 1);
    for (;; at = (at + 1) & (kSlots - 1)) {
      std::uint32_t taken = table_->slots[at].load(std::memory_order_acquire);
      if (taken == 0) {
        if (mine == kNoThread) mine = new_row(parent_name, ordinal);
        if (mine == kNoThread) return kNoThread;
        if (table_->slots[at].compare_exchange_strong(taken, mine + 1, std::memory_order_acq_rel)) return mine;
      }
      const Row& row = table_->rows[taken - 1];
      if (row.parent == parent_name && row.ordinal == ordinal) return taken - 1;
    }
  }

 private:
  struct Row {
    std::uint32_t parent;
    std::uint32_t ordinal;
  };
  static constexpr std::uint32_t kSlots = 2 * kMost;
  struct Table {
    std::atomic<std::uint32_t> count;
    std::atomic<std::uint32_t> slots[kSlots];  // row + 1
    Row rows[kMost];
  };

  std::uint32_t new_row(std::uint32_t parent_name, std::uint32_t ordinal) {
    if (table_->count.load(std::memory_order_relaxed) >= kMost) return kNoThread;
    const std::uint32_t row = table_->count.fetch_add(1, std::memory_order_relaxed);
    if (row >= kMost) return kNoThread;
    table_->rows[row] = {parent_name, ordinal};
    return row;
  }

  Table* table_;
};

}  // namespace ravel
