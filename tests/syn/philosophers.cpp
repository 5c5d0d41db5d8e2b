// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// N philosophers, left fork first (P18): 2^N - 1 sequences, one of them a deadlock.
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif

std::mutex fork_[N];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) {
    threads.emplace_back([i] {
      std::lock_guard left(fork_[i]);
      std::lock_guard right(fork_[(i + 1) % N]);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
