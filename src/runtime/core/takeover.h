// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How the runtime gets control of a process, and starts the program under the plan that stands in shared memory.
#pragma once

namespace ravel::rt {

// A child of the program that shares our memory until it calls exec: it must not touch the execution.
bool in_child_of_vfork();
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

// Runs the program in this process, on virtual threads, from its static constructors to its exit. Never returns.
[[noreturn]] void run_program(const ProgramEntry& entry);

}  // namespace ravel::rt
