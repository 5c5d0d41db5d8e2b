// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of whole files (flock). The kernel decides who gets one; who does not waits virtually until a thread of this
// program lets go. Results are those of the system call.
#pragma once

#include "model/event.h"

namespace ravel::rt {

long lock_file(int descriptor, int operation, LocationId location);

}  // namespace ravel::rt
