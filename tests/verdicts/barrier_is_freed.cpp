// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The serial thread destroys and frees a barrier that the other one may not have left yet: destroying waits for it.
//
// expect: clean
// outcomes: serial=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>
#include <cstdlib>

static std::atomic<int> serial{0};

static void* worker(void* argument) {
  auto* const barrier = static_cast<pthread_barrier_t*>(argument);
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(barrier);
    free(barrier);
    ++serial;
  }
  return nullptr;
}

int main() {
  auto* const barrier = static_cast<pthread_barrier_t*>(malloc(sizeof(pthread_barrier_t)));
  pthread_barrier_init(barrier, nullptr, 2);
  pthread_t threads[2];
  for (pthread_t& one : threads) pthread_create(&one, nullptr, worker, barrier);
  for (const pthread_t one : threads) pthread_join(one, nullptr);
  ravel::observe("serial", serial.load());
}
