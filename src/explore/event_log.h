// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// EventLog: which thread did each event of the present execution, and which events a decision led to. Scratch: filled
// while the program runs, nothing survives an execution.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "model/event.h"

namespace ravel {

class EventLog {
 public:
  static constexpr std::uint32_t kMaxEvents = 1u << 20;

  explicit EventLog(std::pmr::memory_resource& memory)
      : events_(static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * kMaxEvents))) {}

  void begin() { count_ = 0; }
  void add(const Event& e) {
    if (count_ < kMaxEvents) events_[count_] = e.thread | ((e.bits & kChosen) != 0 ? kDecided : 0);
    ++count_;
  }
  // False: longer than what is kept.
  [[nodiscard]] bool whole() const { return count_ <= kMaxEvents; }
  [[nodiscard]] std::uint32_t count() const { return whole() ? count_ : kMaxEvents; }
  [[nodiscard]] ThreadIndex thread(std::uint32_t i) const { return events_[i] & ~kDecided; }
  [[nodiscard]] bool decided(std::uint32_t i) const { return (events_[i] & kDecided) != 0; }

 private:
  static constexpr std::uint32_t kDecided = 0x80000000u;
  std::uint32_t* events_;
  std::uint32_t count_ = 0;
};

}  // namespace ravel
