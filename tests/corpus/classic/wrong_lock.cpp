// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// wrong_lock N: one thread updates under the right lock, N others under another one.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex right;
std::mutex wrong;
volatile int value = 0;

void update() {
  std::lock_guard hold(right);
  const int before = value;
  value = value + 1;
  assert(value == before + 1);
}

void disturb() {
#ifdef FIXED
  std::lock_guard hold(right);
#else
  std::lock_guard hold(wrong);
#endif
  value = value + 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int others = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<std::thread> all;
  all.emplace_back(update);
  for (int i = 0; i < others; ++i) all.emplace_back(disturb);
  for (std::thread& one : all) one.join();
}
