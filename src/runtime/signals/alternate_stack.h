// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sigaltstack for each virtual thread. The kernel knows one alternate stack, the runtime's own, since there is one OS
// thread; a handler that asks for its thread's is moved there before it begins.
#pragma once

#include <signal.h>

namespace ravel::rt {

// As sigaltstack: 0, or -errno.
int change_alternate_stack(const stack_t* next, stack_t* old, const void* stack_pointer);

// Calls a handler, on the running thread's alternate stack if `action` asks for it and there is one that is not in use.
void call_handler(const struct sigaction& action, int number, siginfo_t* info, void* context);

}  // namespace ravel::rt
