// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads that never can run at the same time: main has nothing to do but to join.
//
// expect: vacuous message=choice
#include <thread>

int main() {
  int value = 0;
  std::thread only([&value] { value = 1; });
  only.join();
  return value == 1 ? 0 : 1;
}
