// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Children of fork allocate and start a thread while threads of the parent are in the middle of malloc and free.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

std::atomic<bool> stop{false};

void allocate_for_ever() {
  while (!stop.load(std::memory_order_relaxed)) std::make_unique<char[]>(200);
}

int in_child() {
  auto block = std::make_unique<int>(1);
  std::thread more([&] { block = std::make_unique<int>(*block + 1); });
  more.join();
  return *block;
}

int main() {
  std::thread first(allocate_for_ever);
  std::thread second(allocate_for_ever);
  int good = 0;
  for (int i = 0; i < 300; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(in_child());
    int status = 0;
    waitpid(child, &status, 0);
    good += WIFEXITED(status) && WEXITSTATUS(status) == 2;
  }
  stop = true;
  first.join();
  second.join();
  std::printf("%d\n", good);
  return 0;
}
