// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Spin locks, barriers and pthread_once.
//
// expect: clean
// operations: lock,unlock,arrive,leave,once-begin,once-end
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>

namespace {

pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
int counter = 0;
int initialised = 0;
std::atomic<int> serial{0};
int slots[3];

void initialise() {
  ++initialised;
}

void work(int me) {
  pthread_once(&once, initialise);
  assert(initialised == 1);
  assert(pthread_spin_lock(&spin) == 0);
  ++counter;
  assert(pthread_spin_unlock(&spin) == 0);
  for (int round = 1; round <= 3; ++round) {
    slots[me] = round;
    const int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
      ++serial;
    }
    assert(slots[(me + 1) % 3] == round);
    pthread_barrier_wait(&barrier);
  }
}

}  // namespace

int main() {
  assert(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_barrier_init(&barrier, nullptr, 3) == 0);
  std::thread first([] { work(1); });
  std::thread second([] { work(2); });
  work(0);
  first.join();
  second.join();
  assert(counter == 3);
  assert(serial == 3);
  assert(pthread_spin_trylock(&spin) == 0);
  std::thread intruder([] { assert(pthread_spin_trylock(&spin) == EBUSY); });
  intruder.join();
  assert(pthread_spin_unlock(&spin) == 0);
  assert(pthread_spin_destroy(&spin) == 0);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
