// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Changes the protection of memory it has not mapped: not taken back.
//
// isolation: fork
#include <sys/mman.h>

#include "left_behind.h"

alignas(4096) char page[4096];

int main() {
  assert(page[0] == 0);
  page[0] = 1;
  in_two_threads([](int) { assert(mprotect(page, sizeof page, PROT_READ) == 0); });
}
