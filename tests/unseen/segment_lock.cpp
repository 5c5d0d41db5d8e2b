// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Inline assembly in a syntax that the wrapper leaves alone, beside what it guards.
#include <thread>

static int word = 0;
static int guarded = 0;

static void locked_add() {
  int* const at = &word;
  int taken = 1;
  do {
    taken = 1;
    asm volatile(".intel_syntax prefix\n\tlock xchg dword ptr [%1], %0\n\t.att_syntax prefix"
                 : "+r"(taken)
                 : "r"(at)
                 : "memory");
    if (taken != 0) std::this_thread::yield();
  } while (taken != 0);
  ++guarded;
  asm volatile(".intel_syntax prefix\n\tmov dword ptr [%0], 0\n\t.att_syntax prefix" : : "r"(at) : "memory");
}

int main() {
  std::thread other(locked_add);
  locked_add();
  other.join();
  return guarded == 2 ? 0 : 1;
}
