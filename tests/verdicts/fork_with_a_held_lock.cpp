// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Another thread may hold the lock when the process is forked: in the child nobody will give it back.
//
// expect: kind=misuse message=another.thread.held.it.at.the.fork
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int value = 0;

int main() {
  std::thread other([] {
    std::lock_guard guard(lock);
    ++value;
  });
  const pid_t child = fork();
  if (child == 0) {
    std::lock_guard guard(lock);
    _exit(value);
  }
  int status = 0;
  waitpid(child, &status, 0);
  other.join();
}
