// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence on its way from the tool to the worker: its events, with all names resolved, and how they are to be taken.
#pragma once

#include <algorithm>
#include <vector>

#include "model/sequence.h"
#include "model/text/result.h"
#include "wire/shared_block.h"

namespace ravel {

struct SequenceList {
  std::vector<SequenceEvent> events;  // empty: nothing is held back
  SequenceRules rules;                // `count` is that of the events
};

inline Result<void> write_sequence(SharedBlock& block, PlanSpec& plan, const SequenceList& sequence) {
  if (sequence.events.size() > kMaxSequence) {
    return usage_error("the sequence is too long", std::to_string(sequence.events.size()) + " events");
  }
  std::copy(sequence.events.begin(), sequence.events.end(), block.sequence);
  plan.sequence = sequence.rules;
  plan.sequence.count = static_cast<std::uint32_t>(sequence.events.size());
  return {};
}

}  // namespace ravel
