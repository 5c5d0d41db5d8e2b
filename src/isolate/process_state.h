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
// The message; true: the process is blocked in a system call, which Ravel does not control.
bool describe_process(pid_t process, char* buffer, std::size_t size);
// Of an execution that is blocked: whether a thread other than the blocked one may have been able to run. One that
// joins a thread which is alive is not; of others nobody knows.
bool others_may_run(pid_t process);

}  // namespace ravel
