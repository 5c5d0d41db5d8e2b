// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reorder(s, c): setters write two values one after the other without a lock, checkers read them in the same order.
// FIXED: one lock around both. NESTED: the threads are started by another one, not by main.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

std::mutex lock;
std::atomic<int> a{0};
std::atomic<int> b{0};

void setter() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
#endif
  a = 1;  // here: a set
  b = -1;
}

void checker() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
#endif
  const int one = a;
  const int two = b;                                                                // here: b read
  ravel::check((one == 0 && two == 0) || (one == 1 && two == -1), "both or none");  // here: check
}

void start_all(int setters, int checkers) {
  std::vector<std::thread> threads;
  for (int i = 0; i < setters; ++i) threads.emplace_back(setter);
  for (int i = 0; i < checkers; ++i) threads.emplace_back(checker);
  for (std::thread& thread : threads) thread.join();
}

int main(int argc, char** argv) {
  const int setters = argc > 1 ? std::atoi(argv[1]) : 1;
  const int checkers = argc > 2 ? std::atoi(argv[2]) : 1;
#ifdef NESTED
  std::thread(start_all, setters, checkers).join();
#else
  start_all(setters, checkers);
#endif
}
