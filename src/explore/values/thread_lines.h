// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads by the numbers that Steps gives them: the name that the runtime knows, and who creates them. Only grows.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory_resource>

#include "base/zeroed_array.h"
#include "explore/thread_names.h"
#include "model/sequence.h"

namespace ravel::values {

class ThreadLines {
 public:
  static constexpr std::uint32_t kNobodyKnown = 0xffffffffu;
  struct Line {
    LastingName name = 0;
    std::uint32_t creator = kNobodyKnown;
  };

  explicit ThreadLines(std::pmr::memory_resource& memory) : lines_(memory, ThreadNames::kMost) {}
  void learn(std::uint32_t thread, LastingName name, std::uint32_t creator) {
    if (thread >= ThreadNames::kMost || lines_[thread].name != 0) return;
    if (thread >= count_) count_ = thread + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // a killed process keeps the order of its stores
    lines_.at(thread) = {name, creator};
  }
  // All numbers are below.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const Line& operator[](std::uint32_t thread) const { return lines_[thread]; }
  [[nodiscard]] bool is_known(std::uint32_t thread) const {
    return thread < ThreadNames::kMost && lines_[thread].name != 0;
  }

 private:
  ZeroedArray<Line> lines_;
  std::uint32_t count_ = 0;
};

}  // namespace ravel::values
