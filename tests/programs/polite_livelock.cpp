// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads that give way to each other for ever: no thread is blocked, no end is reached.
//
// expect: kind=step-limit lines=give-way
// native: no
// iterations: 20
// options: --max-steps 20000
#include <atomic>
#include <thread>

namespace {

std::atomic<int> wants[2];

void enter(int me) {
  wants[me] = 1;
  while (wants[1 - me] != 0) {
    wants[me] = 0;  // here: give-way
    std::this_thread::yield();
    wants[me] = 1;
  }
}

}  // namespace

int main() {
  std::thread first([] { enter(0); });
  std::thread second([] { enter(1); });
  first.join();
  second.join();
  return 0;
}
