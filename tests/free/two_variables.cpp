// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two shared variables, each at lines of its own.
#include <mutex>
#include <thread>

std::mutex lock;
int left = 0;
int right = 0;

void work() {
  for (int i = 0; i < 200; ++i) {
    const std::lock_guard hold(lock);  // here: lock
    left += i;                         // here: left
    right -= i;                        // here: right
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
}
