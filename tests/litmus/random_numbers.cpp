// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rand() keeps its state in the C library: who draws first gets the first number.
//
// outcomes: 2
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
