// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// std::atomic<std::shared_ptr>: its lock is a bit that a thread waits for by attempts, between which it changes a
// variable on its own stack. Such a thread waits like any other that spins, and the search ends.
//
// expect: clean
// search: dpor clock-vector
// outcomes: loaded=2 taken=1 | loaded=2 taken=2 | loaded=3 taken=2
#include <ravel/ravel.h>

#include <atomic>
#include <memory>
#include <thread>

int main() {
  static std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(1));
  int loaded = 0;
  int taken = 0;
  std::thread loads([&loaded] {
    pointer.store(std::make_shared<int>(2));
    loaded = *pointer.load();
  });
  std::thread takes([&taken] { taken = *pointer.exchange(std::make_shared<int>(3)); });
  loads.join();
  takes.join();
  ravel::observe("loaded", loaded);
  ravel::observe("taken", taken);
}
