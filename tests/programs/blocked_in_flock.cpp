// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that is blocked in a system call that is not controlled: the message has the name of the call.
//
// expect: kind=hang message=flock
// native: no
// iterations: 3
// options: --hang 300ms
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>

int main() {
  const int first = memfd_create("locked", 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", first);
  const int second = open(path, O_RDWR);
  std::atomic<int> began{0};
  std::thread other([&began] { ++began; });
  flock(first, LOCK_EX);
  flock(second, LOCK_EX);  // for ever: another open file
  other.join();
  return began.load() - 1;
}
