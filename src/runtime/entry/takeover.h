// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How the runtime gets control of a process, and starts the program under the plan that stands in shared memory.
#pragma once

#include "runtime/fiber/home.h"

namespace ravel::rt {

// In a child that the program has forked: it runs on its own.
void let_child_go();

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

// How an execution begins, in the process that is to become it: run(argument) never returns. What an isolation repeats.
struct ExecutionStart {
  void (*run)(void*);
  void* argument;
};

// Runs the program in this process, on virtual threads, from its static constructors to its exit. Never returns.
[[noreturn]] void run_program(const ProgramEntry& entry);

// Begins an execution on the given stack, whose memory below that address is free. The first never returns. The second
// returns when the execution has gone home, with the process's memory and the runtime as the program left them.
[[noreturn]] void run_execution(const ExecutionStart& start, void* stack);
End run_execution_and_return(const ExecutionStart& start, void* stack, const Home& home);

// Once, before the program registers exit handlers.
void watch_exit();

// The same up to the explore() call that the plan names: the plainest schedule, nothing recorded. A program that ends
// before says so in SharedBlock::control.
[[noreturn]] void prepare_program(const ProgramEntry& entry);

// Finds modules and thread-local storage; once for each block.
void look_around();

// Reads the plan in the block and empties all tables.
void begin_execution();

}  // namespace ravel::rt
