// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// xenium's Michael-Scott queue with hazard pointers and Vyukov's bounded queue: nothing lost, nothing twice.
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

using Unbounded = xenium::michael_scott_queue<int, xenium::policy::reclaimer<xenium::reclamation::hazard_pointer<>>>;

int main() {
  Unbounded queue;
  xenium::vyukov_bounded_queue<int> bounded(4);
  std::atomic<int> sum{0};
  auto produce = [&](int from) {
    queue.push(from);
    while (!bounded.try_push(from * 2)) {
    }
  };
  auto consume = [&] {
    int value = 0;
    if (queue.try_pop(value)) sum += value;
    if (bounded.try_pop(value)) sum += value;
  };
  std::thread first(produce, 1);
  std::thread second(produce, 10);
  std::thread third(consume);
  first.join();
  second.join();
  third.join();
  int value = 0;
  while (queue.try_pop(value)) sum += value;
  while (bounded.try_pop(value)) sum += value;
  assert(sum == 33);
}
