// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Places with names in code that shares nothing.
#include <thread>

#include "ravel/ravel.h"

int work(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += i;
  return sum;
}

int main() {
  std::thread first([] {
    ravel::mark("first_begins");
    volatile int sum = work(3);
    ravel::mark("first_ends");
    (void)sum;
  });
  std::thread second([] {
    ravel::mark("second_begins");
    volatile int sum = work(5);
    ravel::mark("second_ends");
    (void)sum;
  });
  first.join();
  second.join();
}
