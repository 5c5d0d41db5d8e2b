// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/decision_path.h"

namespace ravel {

DecisionPath::DecisionPath(std::pmr::memory_resource& memory)
    : entries_(static_cast<Entry*>(memory.allocate(sizeof(Entry) * kMaxDecisions, alignof(Entry)))),
      threads_(static_cast<ThreadIndex*>(memory.allocate(sizeof(ThreadIndex) * kMaxEnabled, alignof(ThreadIndex)))) {}

void DecisionPath::write(PlanWriter& plan, std::uint32_t length, std::uint32_t last) const {
  std::uint32_t segments = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t taken = choice(entries_[i], i + 1 == length ? last : entries_[i].current);
    if (segments != 0 && plan.prefix[segments - 1].thread == taken) {
      ++plan.prefix[segments - 1].count;
    } else {
      plan.prefix[segments++] = {taken, 1};
    }
  }
  plan.spec.prefix_segments = segments;
}

DecisionPath::Fit DecisionPath::extend(const Execution& execution, std::uint32_t* length, StateMatch* match,
                                       StateMatch::List* states) {
  const std::span<const DecisionRecord> made = execution.decisions;
  const std::uint32_t prefix = *length;
  if (execution.result.outcome == OutcomeKind::kDiverged || made.size() < prefix) return Fit::kDiverged;
  for (std::uint32_t i = 0; i < prefix; ++i) {
    if (made[i].chosen != choice(entries_[i], entries_[i].current)) return Fit::kDiverged;
  }
  Fit fit = execution.result.decisions > made.size() ? Fit::kTooBig : Fit::kFits;
  if (match != nullptr && !match->begin(execution, *states)) fit = Fit::kTooBig;
  auto reached = static_cast<std::uint32_t>(made.size() < kMaxDecisions ? made.size() : kMaxDecisions);
  if (match != nullptr) reached = StateMatch::fresh(execution, reached);
  std::uint32_t free = 0;  // behind the lists of the prefix
  for (std::uint32_t i = prefix; i > 0 && free == 0; --i) {
    const Entry& entry = entries_[i - 1];
    if (entry.threads_at != kNotListed) free = entry.threads_at + entry.options;
  }
  for (std::uint32_t i = prefix; i < reached; ++i) {
    const DecisionRecord& d = made[i];
    Entry& entry = entries_[i];
    if ((d.chosen & kDataChoice) != 0) {
      const std::uint32_t rank = d.chosen & ~kDataChoice;
      entry = {d.options, rank, rank, kNotListed, kNoThread};
      continue;
    }
    if (d.enabled_at > kMaxEnabled || d.options > kMaxEnabled - d.enabled_at || d.options > kMaxEnabled - free) {
      fit = Fit::kTooBig;
      *length = i;
      return fit;
    }
    for (std::uint32_t k = 0; k < d.options; ++k) threads_[free + k] = execution.trace.enabled[d.enabled_at + k];
    const std::uint32_t options =
        match == nullptr ? d.options : match->keep(i, {threads_ + free, d.options}, d.chosen, *states);
    entry = {options, options, options, free, d.current};
    for (std::uint32_t k = 0; k < options; ++k) {
      if (threads_[free + k] == d.chosen) entry.first = entry.current = k;
    }
    if (entry.current == options) return Fit::kDiverged;  // scribbled on
    free += options;
  }
  *length = reached > prefix ? reached : prefix;
  return fit;
}

}  // namespace ravel
