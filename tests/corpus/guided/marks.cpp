// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Places with names in code that shares nothing; a function that nobody calls; one that data decides.
#include <atomic>
#include <thread>

#include "ravel/ravel.h"

int work(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += i;
  return sum;
}

std::atomic<int> calls{0};

void nobody() {
  calls.fetch_add(1);  // here: never called
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
    if (ravel::choose(40) == 31) ravel::mark("chosen");
    (void)sum;
  });
  first.join();
  second.join();
}
