// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Children by forks that run no handlers, while other threads use atomics: each does so too, and exits.
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

std::atomic<bool> over{false};
std::atomic<int> count{0};

int in_child(void*) {
  ++count;
  return 7;
}

pid_t make_child(int number) {
  static char stack[1 << 16];
  if (number % 3 == 2) return clone(in_child, stack + sizeof stack, SIGCHLD, nullptr);
  const pid_t child = number % 3 == 0 ? _Fork() : static_cast<pid_t>(syscall(SYS_fork));
  if (child == 0) _exit(in_child(nullptr));
  return child;
}

int main() {
  const auto work = [] {
    while (!over) ++count;
  };
  std::thread one(work), two(work);
  int good = 0;
  for (int i = 0; i < 40; ++i) {
    const pid_t child = make_child(i);
    int status = 0;
    assert(waitpid(child, &status, 0) == child);
    good += WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 1 : 0;
  }
  over = true;
  one.join();
  two.join();
  std::printf("%d\n", good);
}
