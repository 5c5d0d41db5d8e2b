// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How an execution ends before the program ends it: a finding is written into the shared result, then the process is
// left at once. The trace is already safe: it lives in shared memory.
#pragma once

#include "runtime/record/end_of_execution.h"

namespace ravel::rt {

// What the program has printed so far is written out first.
[[noreturn]] void leave_process(int status);
// As the system call: nothing is run or flushed any more.
[[noreturn]] void end_process(int status);

}  // namespace ravel::rt
