// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// counting_semaphore, binary_semaphore, latch and barrier of the standard library. Where two threads compete for a
// permit they ask again after a while: acquire() of libstdc++ 12 can miss its wake-up (semaphore_sleeps.cpp).
//
// expect: clean
// operations: futex-wait,futex-wake,rmw
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>

namespace {

using namespace std::chrono_literals;

void semaphores() {
  std::counting_semaphore<4> permits(1);
  int guarded = 0;
  const auto work = [&] {
    while (!permits.try_acquire_for(1h)) {
    }
    ++guarded;
    permits.release();
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(guarded == 2);

  std::binary_semaphore ball(0);
  std::thread receiver([&] { ball.acquire(); });
  ball.release();
  receiver.join();
  assert(!ball.try_acquire());
  assert(!ball.try_acquire_for(10ms));
}

void latch() {
  std::latch ready(2);
  int prepared[2] = {0, 0};
  std::thread first([&] {
    prepared[0] = 1;
    ready.count_down();
  });
  std::thread second([&] {
    prepared[1] = 1;
    ready.arrive_and_wait();
    assert(prepared[0] == 1);
  });
  ready.wait();
  assert(prepared[0] == 1 && prepared[1] == 1);
  first.join();
  second.join();
}

void barrier() {
  int phases = 0;
  std::barrier meet(2, [&phases]() noexcept { ++phases; });
  int cells[2] = {0, 0};
  const auto walk = [&](int me) {
    for (int step = 1; step <= 2; ++step) {
      cells[me] = step;
      meet.arrive_and_wait();
      assert(cells[1 - me] == step);
      meet.arrive_and_wait();
    }
  };
  std::thread other([&] { walk(1); });
  walk(0);
  other.join();
  assert(phases == 4);
}

}  // namespace

int main() {
  semaphores();
  latch();
  barrier();
  return 0;
}
