// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Twelve megabytes of zero, all written, and initialised data that is not zero.
//
// isolation: repeat
#include <cstddef>

#include "left_behind.h"

constexpr std::size_t kBytes = 12u << 20;
char zero[kBytes];
int numbers[50'000] = {1, 2, 3};

int main() {
  for (std::size_t i = 0; i < kBytes; i += 4096) {
    assert(zero[i] == 0);
    zero[i] = 1;
  }
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[49'999] == 0);
  in_two_threads([](int who) {
    numbers[who] = -1;
    numbers[49'999 - who] = 5;
  });
}
