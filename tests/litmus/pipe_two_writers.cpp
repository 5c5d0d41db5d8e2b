// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two writers on one pipe: the reader gets the bytes in either order.
//
// outcomes: 2
#include <ravel/ravel.h>
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  std::thread a([&] { (void)!write(ends[1], "a", 1); });
  std::thread b([&] { (void)!write(ends[1], "b", 1); });
  char text[3] = {};
  for (int i = 0; i < 2; ++i) (void)!read(ends[0], text + i, 1);
  a.join();
  b.join();
  ravel::observe("text", text);
}
