// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// std::atomic<std::shared_ptr>: the library unlocks with a relaxed store, which is a data race by the letter and not
// the program's.
//
// expect: clean
// operations: create,join,cas
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Config {
  int low;
  int high;
};

int main() {
  std::atomic<std::shared_ptr<Config>> current = std::make_shared<Config>(Config{0, 0});
  std::thread writer([&] {
    for (int i = 1; i < 3; ++i) current.store(std::make_shared<Config>(Config{i, i}));
  });
  std::thread updater([&] {
    std::shared_ptr<Config> seen = current.load();
    while (!current.compare_exchange_weak(seen, std::make_shared<Config>(Config{seen->low + 10, seen->high + 10}))) {
    }
  });
  for (int i = 0; i < 2; ++i) {
    const std::shared_ptr<Config> seen = current.load();
    assert(seen->low == seen->high);
  }
  writer.join();
  updater.join();
  return 0;
}
