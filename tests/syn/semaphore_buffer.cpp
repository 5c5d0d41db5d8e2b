// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A buffer of semaphores (P13, with ONE mutex P14): P producers and C consumers of N items each, SLOTS.
#include <semaphore.h>

#include <thread>
#include <vector>

#ifndef N
#define N 1
#endif

sem_t empty, full, at_in, at_out;

void use(sem_t& before, sem_t& mutex, sem_t& after) {
  sem_wait(&before);
  sem_wait(&mutex);
  sem_post(&mutex);
  sem_post(&after);
}

int main() {
  sem_init(&empty, 0, SLOTS);
  sem_init(&full, 0, 0);
  sem_init(&at_in, 0, 1);
  sem_init(&at_out, 0, 1);
#ifdef ONE
  sem_t& out = at_in;
#else
  sem_t& out = at_out;
#endif
  std::vector<std::thread> threads;
  for (int i = 0; i < P; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < N; ++n) use(empty, at_in, full);
    });
  }
  for (int i = 0; i < C; ++i) {
    threads.emplace_back([&out] {
      for (int n = 0; n < N; ++n) use(full, out, empty);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
