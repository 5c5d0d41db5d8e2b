// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two waiters, two notifiers that signal when they have left the mutex (P45): 108 sequences, whichever waiter a signal
// wakes. Leaving the choice out of what the condition variable has seen loses two of them.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex m;
std::condition_variable c;
int tokens = 0;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([] {
      std::unique_lock lock(m);
      while (tokens == 0) c.wait(lock);
      --tokens;
    });
  }
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([] {
      {
        std::lock_guard lock(m);
        ++tokens;
      }
      c.notify_one();
    });
  }
  for (std::thread& thread : threads) thread.join();
}
