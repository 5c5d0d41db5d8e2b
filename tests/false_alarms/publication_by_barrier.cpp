// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by std::barrier (with a completion step) and by pthread_barrier_wait.
//
// expect: clean
#include <pthread.h>

#include <barrier>
#include <cassert>
#include <thread>

namespace {

void standard() {
  int cells[2] = {0, 0};
  int sum = 0;
  std::barrier meet(2, [&]() noexcept { sum = cells[0] + cells[1]; });
  const auto work = [&](int me) {
    for (int round = 1; round <= 2; ++round) {
      cells[me] = round;
      meet.arrive_and_wait();
      assert(sum == 2 * round);
      meet.arrive_and_wait();
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

void posix() {
  pthread_barrier_t meet;
  pthread_barrier_init(&meet, nullptr, 3);
  int cells[3] = {0, 0, 0};
  const auto work = [&](int me) {
    cells[me] = 1;
    pthread_barrier_wait(&meet);
    assert(cells[0] + cells[1] + cells[2] == 3);
  };
  std::thread first(work, 1);
  std::thread second(work, 2);
  work(0);
  first.join();
  second.join();
  pthread_barrier_destroy(&meet);
}

}  // namespace

int main() {
  standard();
  posix();
  return 0;
}
