// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/minimise.h"

namespace ravel {

KeptSchedules::Size KeptSchedules::write(std::uint32_t slot, const Execution& execution, const EventLog& log,
                                         TurnTable& table) {
  const Slot& to = slots_[slot];
  Size size;
  const std::span<const DecisionRecord> made = execution.decisions;
  if (execution.result.decisions > made.size() || made.size() > kMaxChoices) return size;
  for (const DecisionRecord& decision : made) {
    to.choices[size.choices++] = decision.chosen;
    if ((decision.chosen & kDataChoice) != 0 && size.data < kMaxData) {
      to.data[size.data++] = decision.chosen & ~kDataChoice;
    }
  }
  size.turns = table.write(execution, log, {to.turns, kMaxTurns});
  return size;
}

void write_prefix(PlanWriter& plan, const std::uint32_t* choices, std::uint32_t count) {
  std::uint32_t segments = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (segments != 0 && plan.prefix[segments - 1].thread == choices[i]) {
      ++plan.prefix[segments - 1].count;
    } else {
      plan.prefix[segments++] = {choices[i], 1};
    }
  }
  plan.spec.prefix_segments = segments;
}

}  // namespace ravel
