// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// std::lock and scoped_lock in opposite orders, a try_lock that gives up, a recursive lock, and an order kept by rank.
//
// expect: clean
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex a;
std::mutex b;
std::recursive_mutex nested;
int both = 0;
int inner = 0;

void forth() {
  const std::scoped_lock guard(a, b);
  ++both;
}

void back() {
  std::unique_lock<std::mutex> second(b, std::defer_lock);
  std::unique_lock<std::mutex> first(a, std::defer_lock);
  std::lock(second, first);
  ++both;
}

void polite() {
  for (;;) {
    const std::lock_guard<std::mutex> guard(b);
    if (!a.try_lock()) continue;
    ++both;
    a.unlock();
    return;
  }
}

void count(int depth) {
  const std::lock_guard<std::recursive_mutex> guard(nested);
  ++inner;
  if (depth > 0) count(depth - 1);
}

}  // namespace

int main() {
  std::thread first([] {
    forth();
    count(2);
  });
  std::thread second([] {
    back();
    count(1);
  });
  polite();
  first.join();
  second.join();
  assert(both == 3 && inner == 5);
  return 0;
}
