// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Dekker's entry protocol, each side once, giving up when the other one is there.
//
// outcomes: 2
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> wants[2] = {0, 0};
  std::atomic<int> turn{0};
  int inside[2] = {};
  const auto side = [&](int me) {
    wants[me].store(1);
    if (wants[1 - me].load() != 0 && turn.load() != me) {
      wants[me].store(0);
      return;
    }
    inside[me] = wants[1 - me].load() == 0 || turn.load() == me ? 1 : 0;
    turn.store(1 - me);
    wants[me].store(0);
  };
  std::thread other([&] { side(0); });
  side(1);
  other.join();
  ravel::observe("inside", inside[0] * 2 + inside[1]);
}
