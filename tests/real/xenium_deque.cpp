// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// xenium's work-stealing deque: the owner pushes and pops, others steal. BROKEN has two owners.
// expect: clean
// broken: kind=data-race|assertion|signal
#include <atomic>
#include <cassert>
#include <thread>
#include <xenium/chase_work_stealing_deque.hpp>

int main() {
  int items[5] = {1, 2, 4, 8, 16};
  xenium::chase_work_stealing_deque<int> deque;
  std::atomic<int> sum{0};
  auto own = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      const bool pushed = deque.try_push(&items[i]);
      assert(pushed);
    }
    int* item = nullptr;
    if (deque.try_pop(item)) sum += *item;
  };
  auto steal = [&] {
    int* item = nullptr;
    for (int tries = 0; tries < 2; ++tries) {
      if (deque.try_steal(item)) sum += *item;
    }
  };
#ifdef BROKEN
  std::thread owner(own, 0, 3);
  std::thread other(own, 3, 5);
  other.join();
#else
  std::thread owner(own, 0, 5);
#endif
  std::thread thief(steal);
  std::thread second_thief(steal);
  owner.join();
  thief.join();
  second_thief.join();
  int* item = nullptr;
  while (deque.try_pop(item)) sum += *item;
  assert(sum == 31);
}
