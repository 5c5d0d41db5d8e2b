// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A static whose initialiser throws once: who is first fails, the other one builds it.
//
// outcomes: 2
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

static std::atomic<int> attempts{0};

struct Fragile {
  Fragile() {
    if (attempts.fetch_add(1) == 0) throw 1;
  }
};

static int use() {
  try {
    static Fragile fragile;
    (void)fragile;
    return 1;
  } catch (int) {
    return 0;
  }
}

int main() {
  int built = 0;
  std::thread other([&] { built = use(); });
  const int mine = use();
  other.join();
  ravel::observe("built by", built - mine);
}
