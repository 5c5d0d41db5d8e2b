// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The smallest program worth exploring: two threads, three accesses each. `tiny --null-fork COUNT` instead measures
// what any isolation by fork pays at least: fork, exit and wait of this very process, linked as it is. `tiny
// --raw-forks COUNT` does that many of them behind Ravel's back and goes on: under `ravel run` they are forks of the
// process that executions run in, with all that is mapped there.
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "ticks.h"

namespace {

std::atomic<int> first{0};
std::atomic<int> second{0};

void three_accesses() {
  first.fetch_add(1, std::memory_order_relaxed);
  second.fetch_add(1, std::memory_order_relaxed);
  first.load(std::memory_order_relaxed);
}

long raw_call(long number, long first = 0) {
  long result = number;
  register long fourth asm("r10") = 0;
  register long fifth asm("r8") = 0;
  asm volatile("syscall" : "+a"(result) : "D"(first), "S"(0), "d"(0), "r"(fourth), "r"(fifth) : "rcx", "r11", "memory");
  return result;
}

void raw_forks(int count) {
  for (int i = 0; i < count; ++i) {
    const long child = raw_call(SYS_clone, SIGCHLD);
    if (child == 0) raw_call(SYS_exit_group);
    raw_call(SYS_wait4, child);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--null-fork") == 0) {
    tell_best(std::atoi(argv[2]), 1, [] {
      const pid_t child = _Fork();
      if (child == 0) _exit(0);
      int status = 0;
      waitpid(child, &status, 0);
    });
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--raw-forks") == 0) raw_forks(std::atoi(argv[2]));
  std::thread a(three_accesses);
  std::thread b(three_accesses);
  a.join();
  b.join();
  return 0;
}
