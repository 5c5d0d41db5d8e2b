// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Journal: changes to a large structure in shared memory that a process may be killed over. Step n + 1 notes the old
// value of every word before it is changed; recover(n) puts them back, whether the step was finished or not. What was
// allocated but is not reachable from the structure before the step needs no note.
//
// Several structures that advance together are brought to the same number by recover(), as with TwoSlots.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <type_traits>

#include "base/invariant.h"

namespace ravel {

class Journal {
 public:
  Journal(std::pmr::memory_resource& memory, std::uint32_t capacity)
      : entries_(static_cast<Entry*>(memory.allocate(sizeof(Entry) * capacity, alignof(Entry)))), capacity_(capacity) {}

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  // Room for that many further notes in this step.
  [[nodiscard]] bool has_room(std::uint32_t notes) const { return capacity_ - count_ >= notes; }

  void begin() {
    count_ = 0;
    order();
    open_ = steps_ + 1;
    order();
  }

  template <class T>
  void set(T& target, T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    INVARIANT(count_ < capacity_, "callers ask for room before they change anything");
    Entry& entry = entries_[count_];
    entry = {&target, 0, sizeof(T)};
    std::memcpy(&entry.before, &target, sizeof(T));
    order();
    ++count_;
    order();
    target = value;
  }

  void commit() {
    INVARIANT(open_ == steps_ + 1, "a step is begun before it is committed");
    order();
    steps_ = open_;
  }

  // Back to the state after `steps` steps: this one or the one before.
  void recover(std::uint64_t steps) {
    INVARIANT(steps == steps_ || steps + 1 == steps_, "only the last step can be undone");
    if (open_ == steps + 1) {
      for (std::uint32_t i = count_; i > 0; --i) {
        const Entry& entry = entries_[i - 1];
        std::memcpy(entry.target, &entry.before, entry.bytes);
      }
      order();
    }
    steps_ = steps;
    open_ = steps;
    count_ = 0;
  }

 private:
  struct Entry {
    void* target;
    std::uint64_t before;
    std::uint64_t bytes;
  };
  // The compiler keeps the order of stores; the kernel keeps that of a killed process.
  static void order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

  Entry* entries_;
  std::uint32_t capacity_;
  std::uint32_t count_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t open_ = 0;  // step whose notes these are
};

}  // namespace ravel
