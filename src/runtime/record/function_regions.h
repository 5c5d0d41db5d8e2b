// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Functions of the program whose calls are regions that are meant to be atomic (--regions), as if each began with a
// ravel::atomic_region. Calls within such a call are part of it. A function that was left by longjmp ends with the next
// call or return of its thread.
#pragma once

#include <cstdint>

#include "runtime/platform/hidden.h"

namespace ravel::rt {

RAVEL_HIDDEN extern bool g_watched_functions;  // there are some, or first functions are noted

// Before the first execution.
void begin_region_functions();
// Behind the call-outs, which have noted the call already; `inside` is an address in the function.
void enter_function(std::uintptr_t inside);
void leave_function();

}  // namespace ravel::rt
