// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Descriptors that are left open: the next execution gets the same numbers.
//
// isolation: rollback
#include <fcntl.h>
#include <unistd.h>

#include "left_behind.h"

int main() {
  const int first = open("/dev/null", O_RDWR);
  assert(first == 3);
  int pair[2];
  assert(pipe(pair) == 0 && pair[0] == 4 && pair[1] == 5);
  in_two_threads([](int) { assert(dup(0) > 5); });
  assert(dup2(0, 20) == 20 && close(4) == 0 && open("/dev/zero", O_RDONLY) == 4);
}
