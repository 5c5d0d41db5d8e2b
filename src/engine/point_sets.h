// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The sets of locations that are scheduling points: which are in force, and how they grow from one execution to the
// next. Each set in force is a sorted copy in the lasting memory, named by its offset in the committed counters.
#pragma once

#include "engine/campaign_state.h"

namespace ravel {

class PointSets {
 public:
  PointSets(SharedBlock& block, CampaignState& state, Lasting& lasting)
      : block_(block), state_(state), lasting_(lasting) {}

  // Scheduling points that static facts name: in force from the first execution on. Done again when a worker was killed
  // over it.
  void begin_with_facts();
  // The strategy wants shared points in a campaign with racy ones.
  [[nodiscard]] bool has_more() const {
    return block_.plan.points == PointsMode::kShared && block_.campaign.base.points == PointsMode::kRacy;
  }
  // For one plan; the racy ones are put back after its execution.
  void take_shared(PlanSpec& plan);
  // Offset of the set that the execution in hand ran with.
  [[nodiscard]] std::uint64_t in_force(const Counters& next) const {
    return has_more() && now().shared != 0 ? now().shared_offset : next.points_offset;
  }
  // At once: the next execution has them. Exhaustive searches start over, so that what they complete is a fixed point.
  void grow(Counters& next);
  void grow_shared(Counters& next);

 private:
  [[nodiscard]] const Counters& now() const { return state_.counters.current(); }
  // 0: no room.
  [[nodiscard]] std::uint64_t sorted_copy(const LocationSet& set);

  SharedBlock& block_;
  CampaignState& state_;
  Lasting& lasting_;
};

}  // namespace ravel
