// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// main sets the value after it has created the thread that uses it.
// expect: RW 1 MM 0 WM 0 WN 0 classes 1
// expect warnings: order,race
#include <thread>
int value = 0;
int used = 0;
int main() {
  std::thread user([] { used = value; });
  value = 5;
  user.join();
}
