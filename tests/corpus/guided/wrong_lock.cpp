// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Wronglock(x, y): some threads use one lock for the data, the others another one.
// FIXED: one lock.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

std::mutex data_lock;
std::mutex other_lock;
int value = 0;

// Not inlined: the compiler may take it that nobody else writes the value.
[[gnu::noinline]] int current() {
  return value;  // here: checked
}

void careful() {
  std::lock_guard<std::mutex> guard(data_lock);
  const int before = value;  // here: before
  ++value;                   // here: update
  ravel::check(current() == before + 1, "current() == before + 1");
}

void careless() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(data_lock);
#else
  std::lock_guard<std::mutex> guard(other_lock);
#endif
  ++value;  // here: other update
}

int main(int argc, char** argv) {
  const int careful_threads = argc > 1 ? std::atoi(argv[1]) : 1;
  const int careless_threads = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < careful_threads; ++i) threads.emplace_back(careful);
  for (int i = 0; i < careless_threads; ++i) threads.emplace_back(careless);
  for (std::thread& thread : threads) thread.join();
}
