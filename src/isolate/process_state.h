// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a process that makes no progress is doing, from /proc: whether it hangs, and the message that says so.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace ravel {

// It runs, or waits for a processor.
bool is_running(pid_t process);
bool describe_process(pid_t process, char* buffer, std::size_t size);

}  // namespace ravel
