// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Children made by fork, vfork and system run on their own: what they do is no part of the execution.
//
// expect: clean
// iterations: 100
// operations: create,join
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static std::atomic<int> counter{0};

static int status_of(pid_t child) {
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main() {
  std::thread worker([] { ++counter; });
  std::thread helper([] { ++counter; });
  const pid_t leaves = fork();
  if (leaves == 0) {
    for (int i = 0; i < 100; ++i) ++counter;
    _exit(7);
  }
  assert(status_of(leaves) == 7);
  worker.join();
  helper.join();
  assert(counter == 2);

  const pid_t threaded = fork();
  if (threaded == 0) {
    std::thread other([] { ++counter; });
    other.join();
    std::exit(counter == 3 ? 5 : 6);
  }
  assert(status_of(threaded) == 5);

  const pid_t shares_memory = vfork();
  if (shares_memory == 0) _exit(4);
  assert(status_of(shares_memory) == 4);
  assert(WEXITSTATUS(std::system("exit 3")) == 3);
  assert(counter == 2);
  return 0;
}
