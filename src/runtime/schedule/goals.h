// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a policy that fulfils goals sees of the execution beyond the threads that can run.
#pragma once

#include "runtime/policy/goal_seat.h"

namespace ravel::rt {

[[nodiscard]] GoalSeat goal_seat();

}  // namespace ravel::rt
