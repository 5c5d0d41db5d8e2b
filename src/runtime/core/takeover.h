// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How the runtime gets control of a process, and starts the program under the plan that stands in shared memory.
#pragma once

#include "runtime/core/home.h"

namespace ravel::rt {

// Arguments of __libc_start_main, kept while the zygote waits for work.
struct ProgramEntry {
  int (*main)(int, char**, char**);
  int argc;
  char** argv;
  void (*init)();
  void (*fini)();
  void (*rtld_fini)();
  void* stack_end;
};

// Runs the program in this process, on virtual threads, from its static constructors to its exit. Never returns.
[[noreturn]] void run_program(const ProgramEntry& entry);

// The same in a process that lives on: returns when the program has ended, with the process's memory and the runtime as
// the program left them.
End run_program_and_return(const ProgramEntry& entry, const Home& home);

// Once, before the program registers exit handlers.
void watch_exit();

}  // namespace ravel::rt
