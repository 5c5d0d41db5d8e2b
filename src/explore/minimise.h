// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the parts of the minimiser share: what a schedule costs, and the best one so far.
#pragma once

#include <compare>
#include <cstdint>
#include <memory_resource>

#include "explore/turns.h"

namespace ravel {

// Compared member by member, in this order.
struct ScheduleCost {
  std::uint32_t preemptions = 0xffffffffu;
  std::uint32_t switches = 0;
  std::uint32_t threads = 0;
  std::uint64_t events = 0;
  auto operator<=>(const ScheduleCost&) const = default;
};

inline ScheduleCost cost_of(const ExecutionResult& result) {
  return {result.preemptions, result.switches, result.threads, result.events.load(std::memory_order_relaxed)};
}

// A schedule as decisions, and as turns. Two of them: the best one, and room for a better one, so that a kill in
// between leaves one that is whole.
class KeptSchedules {
 public:
  static constexpr std::uint32_t kMaxChoices = 1u << 18;
  static constexpr std::uint32_t kMaxData = 1u << 14;
  struct Size {
    std::uint32_t choices = 0;  // 0: none, or too long to be worked on
    std::uint32_t turns = 0;
    std::uint32_t data = 0;
  };

  explicit KeptSchedules(std::pmr::memory_resource& memory) {
    for (Slot& slot : slots_) {
      slot.choices = static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * kMaxChoices));
      slot.turns = static_cast<Turn*>(memory.allocate(sizeof(Turn) * kMaxTurns));
      slot.data = static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * kMaxData));
    }
  }

  Size write(std::uint32_t slot, const Execution& execution, const EventLog& log, TurnTable& table);
  [[nodiscard]] const std::uint32_t* choices(std::uint32_t slot) const { return slots_[slot].choices; }
  [[nodiscard]] std::uint32_t* choices(std::uint32_t slot) { return slots_[slot].choices; }
  [[nodiscard]] const Turn* turns(std::uint32_t slot) const { return slots_[slot].turns; }
  [[nodiscard]] const std::uint32_t* data(std::uint32_t slot) const { return slots_[slot].data; }

 private:
  struct Slot {
    std::uint32_t* choices;
    Turn* turns;
    std::uint32_t* data;
  };
  Slot slots_[2];
};

// The first `count` choices as the prefix of a plan that then runs on.
void write_prefix(PlanWriter& plan, const std::uint32_t* choices, std::uint32_t count);

}  // namespace ravel
