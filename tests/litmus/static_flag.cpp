// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A function-local static, and a store before it: what the initialiser sees.
//
// outcomes: 3
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

static std::atomic<int> x{0};

static int value() {
  static const int kept = x.load();
  return kept;
}

int main() {
  int a = 0;
  std::thread other([&] {
    x.store(1);
    a = value();
  });
  const int b = value();
  const int later = x.load();
  other.join();
  ravel::observe("a", a);
  ravel::observe("b", b);
  ravel::observe("later", later);
}
