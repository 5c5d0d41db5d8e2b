// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The virtual threads as a debugger sees them (share/gdb/ravel_gdb.py). Kept up to date in direct mode only.
#pragma once

#include "runtime/schedule/upcalls.h"

namespace ravel::rt {

// Before the program's first instruction: a debugger can stop there and say where to stop next.
void begin_debugging();

}  // namespace ravel::rt
