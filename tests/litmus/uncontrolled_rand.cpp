// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rand() keeps its state in the C library: two threads that draw are not told apart by their order.
//
// expect: not-complete rand
#include <ravel/ravel.h>

#include <cstdlib>
#include <thread>

int main() {
  int mine = 0;
  std::thread other([&] { mine = rand(); });
  const int here = rand();
  other.join();
  ravel::observe("first", mine > here);
}
