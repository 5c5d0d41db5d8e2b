// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Main joins one of two threads and writes while the other may still run; the handles have changed places.
// expect: RW 1 or more
#include <thread>
#include <utility>
int value = 0;
int other = 0;
int main() {
  std::thread t1([] { value = 1; });
  std::thread t2([] { other = 2; });
  std::swap(t1, t2);
  t1.join();
  value = 3;
  t2.join();
  return value + other == 0 ? 1 : 0;
}
