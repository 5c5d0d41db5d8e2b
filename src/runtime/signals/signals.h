// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signals of the program. Fatal ones are noted in the result before the process dies of them. A handler the program
// installs runs in place of that note, and its thread is not left while it is in there: the signal is blocked for the
// one OS thread that all virtual threads share.
#pragma once

#include <signal.h>

namespace ravel::rt {

// The first call counts; executions come from a process that has made it.
void watch_fatal_signals();

// sigaction(2) as the program sees it: our own handlers do not exist.
int change_handler(int number, const struct sigaction* action, struct sigaction* old);

// Runs the program's handler for a signal that reaches the running thread now. Without one: what the system would do,
// which may be the end of the process. `restarts`: cleared unless the handler was set up with SA_RESTART.
void take_signal(int number, siginfo_t& info, bool& restarts);

// The running thread leaves its signal handlers by another way than returning.
void leave_handlers();

}  // namespace ravel::rt
