// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Dekker's algorithm as it stands: whoever has to wait spins.
//
// outcomes: 2
// strategies: dpor
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> wants[2] = {0, 0};
  std::atomic<int> turn{0};
  int order = 0;
  int place[2] = {};
  const auto side = [&](int me) {
    wants[me].store(1);
    while (wants[1 - me].load() != 0) {
      if (turn.load() == me) continue;
      wants[me].store(0);
      while (turn.load() != me) std::this_thread::yield();
      wants[me].store(1);
    }
    place[me] = order++;
    turn.store(1 - me);
    wants[me].store(0);
  };
  std::thread other([&] { side(0); });
  side(1);
  other.join();
  ravel::observe("first", place[0]);
}
