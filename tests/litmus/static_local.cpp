// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A function-local static reached by two threads: either of them sets it.
//
// outcomes: 2
#include <ravel/ravel.h>

#include <thread>

static int value(int wanted) {
  static const int kept = wanted;
  return kept;
}

int main() {
  int first = 0;
  std::thread other([&] { first = value(1); });
  const int second = value(2);
  other.join();
  ravel::observe("first", first);
  ravel::observe("second", second);
}
