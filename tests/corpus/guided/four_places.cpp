// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The failure lies four ordered places deep, behind preambles of different length, beside six bystanders.
#include <atomic>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

std::atomic<int> stage{0};
std::atomic<int> noise{0};

void preamble(int steps) {
  for (int i = 0; i < steps; ++i) noise.fetch_add(1);
}

// Each moves the stage on only if it is there at that very moment, once.
void first_thread() {
  preamble(17);
  int seen = 0;
  stage.compare_exchange_strong(seen, 1);  // here: first
}

void second_thread() {
  preamble(9);
  int seen = 1;
  stage.compare_exchange_strong(seen, 2);  // here: second
}

void third_thread() {
  preamble(3);
  int seen = 2;
  stage.compare_exchange_strong(seen, 3);  // here: third
}

void last_thread() {
  preamble(2);
  const int seen = stage.load();  // here: last
  ravel::check(seen != 3, "seen != 3");
}

void bystander() {
  preamble(12);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back(bystander);
  threads.emplace_back(last_thread);
  threads.emplace_back(third_thread);
  threads.emplace_back(second_thread);
  threads.emplace_back(first_thread);
  for (std::thread& thread : threads) thread.join();
}
