// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Nobody can run, and nothing has come from outside.
#pragma once

#include "runtime/state/thread.h"

namespace ravel::rt {

// Fair time: the earliest deadline is reached. False: there is none.
bool advance_time();
// Only spinning threads are left: let them re-read in turn until the step limit ends it. nullptr: there is none.
VirtualThread* next_spinner();

}  // namespace ravel::rt
