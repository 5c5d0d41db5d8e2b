// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of ranges of files (fcntl, lockf). The process owns those of F_SETLK: they are in no thread's way but in that
// of other processes, and of open files. F_OFD_SETLK gives them to the open file, and threads exclude each other by
// them. The kernel decides who gets one; who does not waits virtually while somebody in this process has it. Results
// are those of the system call.
#pragma once

#include <fcntl.h>

#include "model/event.h"

namespace ravel::rt {

bool is_record_lock_command(int command);
long do_record_lock(int descriptor, int command, struct flock* lock, LocationId location);

}  // namespace ravel::rt
