// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads add to a counter without a lock, each by code of its own, a few times with something in between.
#include <cassert>
#include <thread>

namespace {

volatile int counter = 0;

constexpr int kTimes = 10;

}  // namespace

int main() {
  std::thread first([] {
    for (int i = 0; i < kTimes; ++i) counter = counter + 1;
  });
  std::thread second([] {
    for (int i = 0; i < kTimes; ++i) counter = counter + 1;
  });
  first.join();
  second.join();
  assert(counter == 2 * kTimes);
}
