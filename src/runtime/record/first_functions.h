// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The type of each thread and the functions that it enters first, for metrics that tell threads apart by what they do
// (model/coverage.h).
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/platform/hidden.h"

namespace ravel::rt {

RAVEL_HIDDEN extern std::uint32_t g_first_functions;  // how many; 0: nobody asks

// Before the first execution.
void begin_first_functions();
// A thread is made.
void begin_first_functions(ThreadIndex thread, void* (*start)(void*), void* argument);
// An execution begins: no job has begun.
void forget_jobs();
// The running thread begins another piece of work: its first functions are noted again. Only if g_first_functions.
void begin_job(LocationId location);
// The running thread enters a function; `inside` is an address in it. Only if g_first_functions.
void note_first_function(std::uintptr_t inside);

}  // namespace ravel::rt
