// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The kernel puts arguments, environment and its random bytes on the initial stack, at addresses that depend on the
// size of all of them. The program gets a copy of its arguments at a fixed address instead, so that reading them gives
// the same trace under any environment, and from any folder.
#pragma once

#include "runtime/entry/takeover.h"

namespace ravel::rt {

// Once, before the first execution. Leaves `entry` as it is when the arguments are longer than a megabyte.
void move_arguments(ProgramEntry& entry);

}  // namespace ravel::rt
