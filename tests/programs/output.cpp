// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Output of the failing execution only: each thread prints a line, one order fails.
//
// expect: kind=exit-code threads=T1,T2
// output: begin,late
#include <atomic>
#include <cstdio>
#include <iostream>
#include <thread>

int main() {
  std::cout << "begin\n";
  std::atomic<int> order{0};
  int first_place = 0;
  std::thread first([&] {
    first_place = order.fetch_add(1);
    std::printf("first %d\n", first_place);
  });
  std::thread second([&] { order.fetch_add(1); });
  first.join();
  second.join();
  if (first_place != 0) {
    std::cerr << "late\n";
    return 1;
  }
  return 0;
}
