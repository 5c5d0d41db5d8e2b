// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The lives of threads: each gets a slot of the block when it is made, and a lineage that is the same in every run.
#pragma once

#include "free/state.h"

namespace ravel::fr {

void begin_main_thread();
// The calling thread will run only destructors from here on: hooks leave it alone.
void end_this_thread();

}  // namespace ravel::fr
