// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// airline N: N sellers each sell a seat; sales stop when all seats but the cushion are sold, which everybody asks
// before selling and nobody in one step with it.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
int seats = 0;
int sold = 0;

bool is_open() {
  const std::lock_guard hold(lock);
  return sold < seats;
}

void sell() {
#ifdef FIXED
  const std::lock_guard hold(lock);
  if (sold < seats) ++sold;
#else
  if (!is_open()) return;
  const std::lock_guard hold(lock);
  ++sold;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int sellers = argc > 1 ? std::atoi(argv[1]) : 3;
  seats = sellers - 1;
  std::vector<std::thread> all;
  for (int i = 0; i < sellers; ++i) all.emplace_back(sell);
  for (std::thread& one : all) one.join();
  assert(sold <= seats);
#ifdef FIXED
  (void)is_open;
#endif
}
