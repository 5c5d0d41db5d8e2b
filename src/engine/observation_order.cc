// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/observation_order.h"

#include "explore/sampling.h"

namespace ravel {

void ObservationOrder::add(const Event& e, LocationSink& points) {
  bool known = false;
  for (std::uint32_t i = 0; i < calls_; ++i) {
    const Call& call = list_[i];
    if (call.name != e.value) continue;
    known = known || (call.thread == e.thread && call.location == e.location);
    if (call.thread == e.thread) continue;
    points.on_location(call.location);
    points.on_location(e.location);
  }
  if (known) return;
  if (calls_ == kMostCalls) return points.on_location(e.location);  // a point too many costs time alone
  list_[calls_++] = {e.value, e.thread, e.location};
}

// Nobody ends a process that stands still.
void ObservationOrder::finish(const ExecutionResult& result, LocationSink& points) const {
  const OutcomeKind outcome = result.outcome;
  if (unjoined_ == 0 || outcome == OutcomeKind::kDeadlock || outcome == OutcomeKind::kHeld ||
      !ran_to_its_end(outcome)) {
    return;
  }
  for (std::uint32_t i = 0; i < calls_; ++i) {
    if (list_[i].thread != result.thread) points.on_location(list_[i].location);
  }
}

}  // namespace ravel
