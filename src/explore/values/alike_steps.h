// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The steps of an execution by what decides whether another step conflicts with them. Loops execute the same again and
// again: of steps that are alike only the latest has to be compared. So a step is compared with as many others as there
// are different ones at its location, however long the execution is.
//
// Scratch.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>

#include "explore/steps.h"
#include "explore/values/access_classes.h"

namespace ravel::values {

class AlikeSteps {
 public:
  struct Group {
    std::uint64_t mask = 0;    // Keys
    std::uint32_t latest = 0;  // step
    std::uint32_t next = 0;    // 1 + group in the same bucket; 0: none
    ClassId access = kNoClass;
    std::uint16_t column = 0;
    bool only_reads = false;
  };

  explicit AlikeSteps(std::pmr::memory_resource& memory)
      : groups_(static_cast<Group*>(memory.allocate(sizeof(Group) * kMost, alignof(Group)))) {}

  void begin() {
    std::memset(heads_, 0, sizeof(heads_));
    count_ = 0;
  }

  // `is_alike(j)`: step j, of the same thread and class, is. False: there is no room.
  template <class IsAlike>
  bool enter(const Step& step, std::uint32_t i, ClassId access, IsAlike&& is_alike) {
    std::uint32_t& head = heads_[bucket_of(step.keys.spot)];
    const auto column = static_cast<std::uint16_t>(step.column);
    for (std::uint32_t at = head; at != 0; at = groups_[at - 1].next) {
      Group& group = groups_[at - 1];
      if (group.access != access || group.column != column || !is_alike(group.latest)) continue;
      group.latest = i;
      return true;
    }
    if (count_ == kMost) return false;
    groups_[count_] = {step.keys.mask, i, head, access, column, only_reads(step)};
    head = ++count_;
    return true;
  }

  // Calls visit(group) for those that may conflict with the step, until it yields false.
  template <class Visit>
  void visit(const Step& step, Visit&& visit) const {
    const bool reads = only_reads(step);
    const auto may_conflict = [&](const Group& group) {
      return (group.mask & step.keys.mask) != 0 && !(reads && group.only_reads);
    };
    if (step.keys.spot == kSeveral) {
      for (std::uint32_t at = 0; at < count_; ++at) {
        if (may_conflict(groups_[at]) && !visit(groups_[at])) return;
      }
      return;
    }
    for (const std::uint32_t bucket : {bucket_of(step.keys.spot), kBuckets}) {
      for (std::uint32_t at = heads_[bucket]; at != 0; at = groups_[at - 1].next) {
        if (may_conflict(groups_[at - 1]) && !visit(groups_[at - 1])) return;
      }
    }
  }

 private:
  static constexpr std::uint32_t kBuckets = 1u << 10;  // behind them: steps with several locations
  static constexpr std::uint32_t kMost = 1u << 17;

  // The end of the program conflicts with everything.
  static bool only_reads(const Step& step) { return reads_only(step.act) && !step.act.ends; }
  static std::uint32_t bucket_of(Spot spot) { return spot == kSeveral ? kBuckets : spot & (kBuckets - 1); }

  Group* groups_;
  std::uint32_t count_ = 0;
  std::uint32_t heads_[kBuckets + 1] = {};  // 1 + the group that was entered last; 0: none
};

}  // namespace ravel::values
