// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sleeping without a lock: a waiter announces itself, looks once more and sleeps; the notifier wakes only who has
// announced.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<unsigned> epoch{0};
std::atomic<int> waiters{0};
std::atomic<int> items{0};

bool take() {
  int seen = items.load();
  while (seen > 0) {
    if (items.compare_exchange_weak(seen, seen - 1)) return true;
  }
  return false;
}

void consume() {
  while (!take()) {
    ++waiters;
    const unsigned key = epoch.load();
    if (take()) {
      --waiters;
      return;
    }
    epoch.wait(key);
    --waiters;
  }
}

void produce() {
  ++items;
  if (waiters.load() == 0) return;
  ++epoch;
  epoch.notify_all();
}

}  // namespace

int main() {
  std::thread first(consume);
  std::thread second(consume);
  produce();
  produce();
  first.join();
  second.join();
  assert(items == 0);
  return 0;
}
