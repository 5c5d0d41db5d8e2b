// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that is blocked in a system call that is not controlled, when nobody else is alive: the message has the name
// of the call.
//
// expect: kind=hang message=splice
// native: no
// iterations: 3
// options: --hang 300ms
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 2;
  const int nowhere = open("/dev/null", O_WRONLY);
  std::atomic<int> began{0};
  std::thread other([&began] { ++began; });
  other.join();
  splice(ends[0], nullptr, nowhere, nullptr, 1, 0);  // for ever: nobody writes
  return began.load() - 1;
}
