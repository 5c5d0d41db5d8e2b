// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A read that does not wait finds the byte or nothing.
//
// outcomes: 2
#include <fcntl.h>
#include <ravel/ravel.h>
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) != 0) return 1;
  std::thread a([&] { (void)!write(ends[1], "x", 1); });
  char byte = 0;
  const long n = read(ends[0], &byte, 1);
  a.join();
  ravel::observe("n", n);
}
