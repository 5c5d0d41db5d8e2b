// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Correct: a thread is blocked in a system call that is not controlled until another one has written. Under Ravel that
// one cannot run meanwhile, which is no defect of the program.
#include <fcntl.h>
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 2;
  const int nowhere = open("/dev/null", O_WRONLY);
  std::thread writer([&ends] {
    if (write(ends[1], "x", 1) != 1) _exit(3);
  });
  const long moved = splice(ends[0], nullptr, nowhere, nullptr, 1, 0);
  writer.join();
  return moved == 1 ? 0 : 1;
}
