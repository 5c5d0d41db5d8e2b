// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two readers of one pipe: who comes first gets the first byte, and each may have to wait for it.
//
// outcomes: 2
#include <ravel/ravel.h>
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  char got[2] = {};
  std::thread a([&] { (void)!read(ends[0], &got[0], 1); });
  std::thread b([&] { (void)!read(ends[0], &got[1], 1); });
  (void)!write(ends[1], "x", 1);
  (void)!write(ends[1], "y", 1);
  a.join();
  b.join();
  ravel::observe("a", std::string(1, got[0]));
}
