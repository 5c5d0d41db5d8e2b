// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The example of slices: the throw depends on x alone, which the second thread changes; the third only reads it.
// expect: RW 9 or fewer MM 0 WM 0 WN 0 classes 3
#include <stdexcept>
#include <thread>
int x = 0, z = 0, sink = 0;
int main() {
  std::thread t0([] {
    x++;
    if (x > 6) {
      throw std::runtime_error("reached");
    }
  });
  std::thread t1([] {
    int h = 5;
    int y = h + 1;
    x += y;
    y *= 2;
    int m = x * y;
    if (m >= 84) y *= 4;
    sink = y;
  });
  std::thread t2([] {
    for (int i = 0; i < 5; ++i) z += x;
  });
  t0.join();
  t1.join();
  t2.join();
}
