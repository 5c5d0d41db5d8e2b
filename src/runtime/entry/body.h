// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The body of ravel::explore(): an execution that begins at that call instead of at the program's start. The state of
// the process at the call is what every execution begins from; a call of the body, and the process is left.
#pragma once

#include "model/event.h"

namespace ravel::rt {

struct Body {
  void (*run)(void*);
  void* argument;
  LocationId caller;  // of explore()
};

// prepare_program() runs with the plainest plan; the one it was given is kept for the body.
void put_plan_aside();
// The process stands at the explore() call it was asked for: from here on there are executions.
void end_preparation();

// As ExecutionStart::run; the argument is a Body. In place: below the caller's frames, on the main thread's stack that
// prepare_program() has made.
[[noreturn]] void run_body_in_place(void* body);
// The same for a program that was not under control until now: on a stack of the runtime's.
[[noreturn]] void run_body_apart(void* body);

}  // namespace ravel::rt
