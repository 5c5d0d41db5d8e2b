// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Could a thread execute its pending operation now, and if not, may its wait end in another way?
#pragma once

#include "runtime/state/thread.h"

namespace ravel::rt {

[[nodiscard]] bool is_enabled(VirtualThread& thread);
// By choice of the schedule, where the plan allows it.
[[nodiscard]] bool can_time_out(VirtualThread& thread);
[[nodiscard]] bool can_wake_spuriously(VirtualThread& thread);

}  // namespace ravel::rt
