// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The smallest program worth exploring: two threads, three accesses each. `tiny --null-fork COUNT` instead measures
// what any isolation by fork pays at least: fork, exit and wait of this very process, linked as it is.
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
  std::thread a(three_accesses);
  std::thread b(three_accesses);
  a.join();
  b.join();
  return 0;
}
