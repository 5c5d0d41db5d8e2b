// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// poll with a time-out of zero looks whether the byte is there.
//
// outcomes: 2
#include <poll.h>
#include <ravel/ravel.h>
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  std::thread a([&] { (void)!write(ends[1], "x", 1); });
  pollfd wanted = {ends[0], POLLIN, 0};
  const int n = poll(&wanted, 1, 0);
  a.join();
  ravel::observe("n", n);
}
