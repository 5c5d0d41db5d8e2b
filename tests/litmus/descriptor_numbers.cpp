// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who opens first gets the lower descriptor: state of the kernel.
//
// outcomes: 2
#include <fcntl.h>
#include <ravel/ravel.h>

#include <thread>

int main() {
  int theirs = -1;
  std::thread other([&] { theirs = open("/dev/null", O_RDONLY); });
  const int mine = open("/dev/null", O_RDONLY);
  other.join();
  ravel::observe("lower", mine < theirs);
}
