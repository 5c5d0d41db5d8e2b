// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The second thread starts when the first has ended; main reads when both have.
// expect: RW 0 MM 0 WM 0 WN 0 classes 2
// expect warnings: none
// expect without join: RW 3 or more
#include <thread>
int value = 0;
int main() {
  value = 1;
  std::thread t1([] { value += 1; });
  t1.join();
  std::thread t2([] { value += 2; });
  t2.join();
  return value == 4 ? 0 : 1;
}
