// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads write to one file: which letter comes first is up to the schedule.
//
// outcomes: 2
#include <ravel/ravel.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

int main() {
  const int file = fileno(tmpfile());
  ssize_t written = 0;
  std::thread other([&] { written += write(file, "a", 1); });
  const ssize_t mine = write(file, "b", 1);
  other.join();
  char text[2] = {};
  if (written + mine != 2 || pread(file, text, 2, 0) != 2) return 1;
  ravel::observe("first", text[0] == 'a' ? 1 : 0);
}
