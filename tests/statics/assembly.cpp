// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// An object that is published by an exchange in assembly.
// expect: RW 2 or more
#include <thread>
int first = 1;
int* current = &first;
int* exchange(int** place, int* value) {
  __asm__ volatile("xchgq %0, %1" : "+r"(value), "+m"(*place) : : "memory");
  return value;
}
int main() {
  std::thread reader([] { *current = 5; });
  int* const made = new int(2);
  *exchange(&current, made) = 3;
  *made = 4;
  reader.join();
}
