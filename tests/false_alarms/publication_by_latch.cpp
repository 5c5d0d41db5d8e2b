// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by std::latch, by those that wait and those that only look.
//
// expect: clean
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch begin(1);
  std::latch end(2);
  int input = 0;
  int results[2] = {0, 0};
  const auto work = [&](int me) {
    begin.wait();
    results[me] = input + me;
    end.count_down();
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  input = 10;
  begin.count_down();
  if (end.try_wait()) assert(results[1] == 11);
  end.wait();
  assert(results[0] == 10 && results[1] == 11);
  first.join();
  second.join();
  return 0;
}
