// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "hand_over.h"

static void add(void* number) {
  ++*static_cast<int*>(number);
}

int main() {
  int number = 0;
#ifdef ATOMICS
  one_after_the_other(add, add, &number);
  return number == 2 ? 0 : 1;
#else
  side_by_side(add, add, &number);
  return 0;
#endif
}
