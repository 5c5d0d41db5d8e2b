// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two locks taken in opposite order, beside threads that have nothing to do with them.
// FIXED: one order.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex a;
std::mutex b;
std::atomic<int> work{0};

void forwards() {
  std::lock_guard<std::mutex> outer(a);  // here: l0
  std::lock_guard<std::mutex> inner(b);  // here: l1
  ++work;
}

void backwards() {
#ifdef FIXED
  std::lock_guard<std::mutex> outer(a);
  std::lock_guard<std::mutex> inner(b);
#else
  std::lock_guard<std::mutex> outer(b);  // here: l9
  std::lock_guard<std::mutex> inner(a);  // here: l18
#endif
  ++work;
}

void bystander() {
  for (int i = 0; i < 4; ++i) ++work;
}

int main(int argc, char** argv) {
  const int bystanders = argc > 1 ? std::atoi(argv[1]) : 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < bystanders; ++i) threads.emplace_back(bystander);
#ifdef SWAPPED
  threads.emplace_back(backwards);
  threads.emplace_back(forwards);
#else
  threads.emplace_back(forwards);
  threads.emplace_back(backwards);
#endif
  for (std::thread& thread : threads) thread.join();
}
