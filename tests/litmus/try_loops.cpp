// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Loops that try a lock and a semaphore six times and give up: from the fourth failure on attempts are no points. No
// search may call that complete, and each names the loop.
//
// expect: incomplete-by-all polling try_loops.cpp:25
#include <pthread.h>
#include <ravel/ravel.h>
#include <semaphore.h>

#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int arguments, char**) {
  sem_t permits;
  sem_init(&permits, 0, 0);
  int tries = 0;
  int refused = 0;
  pthread_mutex_lock(&mutex);
  std::thread trying([&] {
    int round = 0;
    bool locked = false;
    while (round < arguments + 5) {
      locked = pthread_mutex_trylock(&mutex) == 0;
      if (locked) break;
      ++round;
    }
    tries = round;
    if (locked) pthread_mutex_unlock(&mutex);
    refused = sem_trywait(&permits) == 0 ? 0 : 1;
  });
  pthread_mutex_unlock(&mutex);
  sem_post(&permits);
  trying.join();
  ravel::observe("tries", tries);
  ravel::observe("refused", refused);
}
