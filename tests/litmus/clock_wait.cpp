// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A wait with a time-out on the steady clock: the signal comes first, or time is up.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>
#include <time.h>

#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main() {
  int result = 0;
  std::thread waiter([&] {
    pthread_mutex_lock(&mutex);
    timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    result = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  waiter.join();
  ravel::observe("timed out", result != 0);
}
