// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Three threads that pass through locks, atomics and plain memory: about 140 scheduling points.
#include <atomic>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int balance = 0;
std::atomic<int> done{0};

void work() {
  for (int i = 0; i < 15; ++i) {
    {
      const std::lock_guard lock(mutex);
      balance += i;
    }
    done.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace

int main() {
  std::thread a(work);
  std::thread b(work);
  std::thread c(work);
  a.join();
  b.join();
  c.join();
  return balance == 3 * 105 && done == 45 ? 0 : 1;
}
