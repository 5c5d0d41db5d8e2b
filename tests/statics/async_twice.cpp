// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two std::async that throw: std::function keeps descriptions of types beside pointers to closures. A solver that
// follows pointers into those descriptions does not end.
//
// expect: classes 4, MM 0
#include <atomic>
#include <future>
#include <thread>

std::atomic<int> x{0};
int result[2];

void first() {
  auto later = std::async(std::launch::async, [] {
    if (x.fetch_add(1) == 0) throw 3;
    return 0;
  });
  try {
    result[0] = later.get();
  } catch (int e) {
    result[0] = -e;
  }
}

void second() {
  auto later = std::async(std::launch::async, [] {
    if (x.fetch_add(1) == 0) throw 3;
    return 0;
  });
  try {
    result[1] = later.get();
  } catch (int e) {
    result[1] = -e;
  }
}

int main() {
  std::thread a(first);
  std::thread b(second);
  a.join();
  b.join();
}
