// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads, each with memory that nobody else touches: no order of theirs matters, yet a sequence may ask for any.
#include <memory>
#include <thread>

void fill(int* numbers) {
  numbers[0] = 1;
  numbers[1] = numbers[0] + 1;  // here: filled
}

void clear(int* numbers) {
  numbers[0] = 0;
  numbers[1] = numbers[0];  // here: cleared
}

int main() {
  const auto one = std::make_unique<int[]>(2);
  const auto two = std::make_unique<int[]>(2);
  std::thread a(fill, one.get());
  std::thread b(clear, two.get());
  a.join();
  b.join();
  return one[1] == 2 && two[1] == 0 ? 0 : 1;
}
