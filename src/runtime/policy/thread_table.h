// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A value for every thread index, forgotten all at once in O(1): a slot counts only if it has the table's generation.
// Tables are objects of their own, apart from the policies: all zero, so they lie in .bss and cost only touched pages.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "model/execution.h"

namespace ravel {

template <class T>
class ThreadTable {
 public:
  void forget_all() {
    if (++generation_ != 0) return;
    for (Slot& slot : slots_) slot.generation = 0;  // once in four billion executions
    generation_ = 1;
  }

  // nullptr when nothing was stored since forget_all. Indices beyond the limit share the last slot.
  [[nodiscard]] T* find(ThreadIndex thread) {
    Slot& slot = slot_of(thread);
    return slot.generation == generation_ ? &slot.value : nullptr;
  }

  T& store(ThreadIndex thread, const T& value) {
    Slot& slot = slot_of(thread);
    slot.generation = generation_;
    slot.value = value;
    return slot.value;
  }

 private:
  struct Slot {
    T value{};
    std::uint32_t generation = 0;
  };
  Slot& slot_of(ThreadIndex thread) { return slots_[thread < kMaxThreads ? thread.number() : kMaxThreads - 1]; }

  Slot slots_[kMaxThreads] = {};
  std::uint32_t generation_ = 0;
};

}  // namespace ravel
