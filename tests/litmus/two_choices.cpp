// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two choices in a row beside another thread.
//
// outcomes: 12
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  std::thread other([&] { x.store(1); });
  const auto a = ravel::choose(2);
  const auto b = ravel::choose(3);
  const int seen = x.load();
  other.join();
  ravel::observe("a", a);
  ravel::observe("b", b);
  ravel::observe("seen", seen);
}
