// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A POSIX barrier destroyed by its serial thread, and a std::barrier by the one that is the last to leave.
//
// expect: clean
#include <pthread.h>

#include <atomic>
#include <barrier>
#include <thread>

int main() {
  auto* const posix = new pthread_barrier_t;
  pthread_barrier_init(posix, nullptr, 2);
  const auto meet = [posix] {
    if (pthread_barrier_wait(posix) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(posix);
    delete posix;
  };
  std::thread first(meet);
  meet();
  first.join();
  auto* const barrier = new std::barrier<>(2);
  std::atomic<int> inside{2};
  const auto arrive = [&, barrier] {
    barrier->arrive_and_wait();
    if (inside.fetch_sub(1, std::memory_order_acq_rel) == 1) delete barrier;
  };
  std::thread second(arrive);
  arrive();
  second.join();
  return 0;
}
