// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a policy of guided searches sees of the execution beyond the threads that can run.
#pragma once

#include "runtime/policy/policy.h"

namespace ravel::rt {

[[nodiscard]] GuideSeat guide_seat();
// The call stack of a live thread, innermost call first, without its pending operation. Yields how many.
std::uint32_t calls_of(ThreadIndex index, LocationId* out, std::uint32_t room);
// Every thread that cannot go on, to a policy that asks for them. The ready set is up to date.
void show_blocked(Policy& policy);

}  // namespace ravel::rt
