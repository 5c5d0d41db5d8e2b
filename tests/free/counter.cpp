// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A counter without a lock; with -DFIXED it has one.
#include <mutex>
#include <thread>

volatile int counter;  // every access is made
std::mutex lock;

void work() {
  for (int i = 0; i < 100; ++i) {
#ifdef FIXED
    const std::lock_guard hold(lock);
#endif
    counter = counter + 1;  // here: counter
  }
}

int main() {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
}
