// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/limits_seen.h"

#include <algorithm>

#include "wire/shared_block.h"

namespace ravel {
namespace {

OutcomeKind checked(OutcomeKind kind) {
  return kind < OutcomeKind::kCount ? kind : OutcomeKind::kInternal;
}

std::optional<Event> checked(const Event& event, bool ended, std::size_t modules) {
  if (ended) return std::nullopt;
  Event copy = event;
  if (copy.kind >= OpKind::kCount) copy.kind = OpKind::kNone;
  if (module_slot(copy.location) >= modules) copy.location = 0;
  copy.thread = std::min<ThreadIndex>(copy.thread, kMaxThreads - 1);
  copy.object = 0;  // of tables that are gone
  copy.context = 0;
  return copy;
}

}  // namespace

void LimitsSeen::merge(LimitsSeen other) {
  if (modules.empty()) modules = std::move(other.modules);
  for (Uncontrolled& call : other.uncontrolled) {
    const auto same = std::find_if(uncontrolled.begin(), uncontrolled.end(), [&](const Uncontrolled& known) {
      return known.call == call.call && known.location == call.location;
    });
    if (same == uncontrolled.end()) {
      uncontrolled.push_back(std::move(call));
    } else {
      same->times += call.times;
    }
  }
  if (!difference) difference = other.difference;
}

LimitsSeen read_limits(const SharedBlock& block) {
  LimitsSeen seen;
  seen.modules = read_modules(block);
  const std::uint32_t count = std::min(block.uncontrolled_count.load(std::memory_order_acquire), kMaxUncontrolled);
  for (std::uint32_t i = 0; i < count; ++i) {
    const UncontrolledRecord& record = block.uncontrolled[i];
    const LocationId location = record.location;
    seen.uncontrolled.push_back({text_of(record.call), text_of(record.detail),
                                 module_slot(location) < seen.modules.size() ? location : LocationId(),
                                 record.times.load(std::memory_order_relaxed)});
  }
  const DifferenceRecord& difference = block.difference;
  if (difference.found.load(std::memory_order_acquire) != 0) {
    seen.difference = Difference{difference.execution,
                                 difference.sequence,
                                 difference.found.load(std::memory_order_relaxed) != 1,
                                 checked(difference.first, difference.first_ended != 0, seen.modules.size()),
                                 checked(difference.second, difference.second_ended != 0, seen.modules.size()),
                                 checked(difference.first_outcome),
                                 checked(difference.second_outcome)};
  }
  return seen;
}

}  // namespace ravel
