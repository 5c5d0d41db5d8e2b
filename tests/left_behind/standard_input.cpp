// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reads its input to the end.
//
// isolation: repeat
#include <cstdio>

#include "left_behind.h"

int main() {
  int characters = 0;
  while (std::getchar() != EOF) ++characters;
  in_two_threads([](int) {});
  std::printf("%d\n", characters);
  assert(characters == 0 || characters > 3);
}
