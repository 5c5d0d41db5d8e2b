// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reads its stack before writing it: whatever is there must be the same each time.
//
// isolation: any
#include <cstdio>

#include "left_behind.h"

__attribute__((noinline)) unsigned sum_of_rubbish() {
  volatile unsigned char rubbish[6000];
  unsigned sum = 0;
  for (unsigned i = 0; i < sizeof rubbish; ++i) sum = sum * 31 + rubbish[i];
  for (unsigned i = 0; i < sizeof rubbish; ++i) rubbish[i] = 0xa5;
  return sum;
}

int main() {
  unsigned sums[2] = {};
  in_two_threads([&](int who) { sums[who] = sum_of_rubbish(); });
  std::printf("%u %u %u\n", sum_of_rubbish(), sums[0], sums[1]);
  // Control flow that depends on it is part of the trace.
  std::atomic<int> steps{0};
  in_two_threads([&](int) {
    for (unsigned i = 0; i < sums[0] % 3; ++i) steps.fetch_add(1);
  });
}
