// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// TwoSlots: a small state in shared memory that a process may be killed over at any time. The state after n steps is in
// one slot; step n + 1 is prepared in the other one and takes effect by a single store of its number. Several of them
// that advance together are brought to the same number by recover() after a kill: each can go back by one.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "base/invariant.h"

namespace ravel {

template <class T>
class TwoSlots {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] const T& current() const { return slots_[steps() & 1]; }
  [[nodiscard]] std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }

  // A copy of the current state, to be changed and then committed.
  T& prepare() { return slots_[(steps() + 1) & 1] = current(); }
  void commit() {
    // The compiler must not move the slot's stores behind this; the kernel keeps the order of a killed process' stores.
    steps_.store(steps() + 1, std::memory_order_release);
  }
  // The state before the first step, while there was none. Not kill-safe: the caller can do it again.
  T& initial() {
    INVARIANT(steps() == 0, "the beginning is over");
    return slots_[0];
  }
  // `steps` is the current number or the one before it.
  void recover(std::uint64_t steps) {
    INVARIANT(steps == this->steps() || steps + 1 == this->steps(), "only the last step can be taken back");
    steps_.store(steps, std::memory_order_release);
  }

 private:
  T slots_[2] = {};
  std::atomic<std::uint64_t> steps_{0};
};

}  // namespace ravel
