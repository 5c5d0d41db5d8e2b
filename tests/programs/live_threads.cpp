// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// 1 024 threads alive at the same time.
//
// expect: clean
// iterations: 3
// operations: create,join
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 1024;
  std::mutex mutex;
  std::condition_variable all_here;
  int present = 0;
  std::vector<std::thread> threads;
  for (int i = 1; i < kThreads; ++i) {
    threads.emplace_back([&] {
      std::unique_lock<std::mutex> lock(mutex);
      if (++present == kThreads - 1) {
        all_here.notify_all();
      }
      all_here.wait(lock, [&] { return present == kThreads - 1; });
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  assert(present == kThreads - 1);
  return 0;
}
