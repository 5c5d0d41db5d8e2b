// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads with two choices in a row each, and a store between.
//
// outcomes: 32
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<unsigned> x{0};
  const auto choose = [&](unsigned first) {
    const unsigned a = ravel::choose(2);
    const unsigned b = ravel::choose(2);
    x.store(first + 2 * a + b);
    return 2 * a + b;
  };
  unsigned mine[2];
  std::thread other([&] { mine[0] = choose(10); });
  mine[1] = choose(20);
  other.join();
  ravel::observe("0", mine[0]);
  ravel::observe("1", mine[1]);
  ravel::observe("x", x.load());
}
