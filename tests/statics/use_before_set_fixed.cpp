// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// main sets the value first.
// expect: RW 0 MM 0 WM 0 WN 0 classes 1
// expect warnings: none
#include <thread>
int value = 0;
int used = 0;
int main() {
  value = 5;
  std::thread user([] { used = value; });
  user.join();
}
