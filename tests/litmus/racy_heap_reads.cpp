// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Four reads of one heap cell in a row, at four places: each of them can be the first to find the new value.
// options: --points racy
// outcomes: 5
#include <ravel/ravel.h>

#include <memory>
#include <thread>

int main() {
  const auto cell = std::make_unique<volatile int>(0);
  volatile int* const value = cell.get();
  int sum = 0;
  std::thread reader([&] {
    int mine = *value;
    mine += *value;
    mine += *value;
    mine += *value;
    sum = mine;
  });
  std::thread writer([&] { *value = 1; });
  reader.join();
  writer.join();
  ravel::observe("sum", sum);
}
