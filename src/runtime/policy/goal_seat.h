// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What policy `fulfil' is given beside its spec: the goals of the plan, and questions about threads that are not ready.
#pragma once

#include <cstdint>
#include <span>

#include "model/goal.h"
#include "model/reach.h"
#include "semantics/operation_view.h"

namespace ravel {

enum class Standing : std::uint8_t { kNotThere, kWaits, kReady };  // not created yet, or over

struct GoalSeat {
  std::span<const Goal> goals{};
  GoalRules rules{};
  std::uint32_t excluded = 0;  // classes of operations that nobody decides on: they serve no goal and break none
  GoalFates* report = nullptr;
  ReachTable reach{};                         // empty: nothing is known
  std::uint32_t (*planned_left)() = nullptr;  // choices of the prefix that were not taken yet
  LastingName (*name_of)(ThreadIndex thread) = nullptr;
  ContextId (*context_of)(ThreadIndex thread) = nullptr;  // of its pending operation
  // The call stack of a live thread, innermost call first, without the pending operation itself. Yields how many.
  std::uint32_t (*calls)(ThreadIndex thread, LocationId* out, std::uint32_t room) = nullptr;
  // The pending operation of a thread.
  Standing (*pending_of)(LastingName thread, OperationView& pending) = nullptr;
};

}  // namespace ravel
