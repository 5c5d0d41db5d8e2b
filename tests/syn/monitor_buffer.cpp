// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A buffer as a monitor with two condition variables (P10, P11): P producers and C consumers of N items each, SLOTS.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 1
#endif

std::mutex mutex;
std::condition_variable not_full;
std::condition_variable not_empty;
int full = 0;

void wake(std::condition_variable& condition) {
#ifdef ALL
  condition.notify_all();
#else
  condition.notify_one();
#endif
}

void put() {
  std::unique_lock lock(mutex);
  while (full == SLOTS) not_full.wait(lock);
  ++full;
  wake(not_empty);
}

void take() {
  std::unique_lock lock(mutex);
  while (full == 0) not_empty.wait(lock);
  --full;
  wake(not_full);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < P; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < N; ++n) put();
    });
  }
  for (int i = 0; i < C; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < N; ++n) take();
    });
  }
  for (std::thread& thread : threads) thread.join();
}
