// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphores in opposite order, but behind a gate: no deadlock can happen and none is predicted.
//
// expect: clean
// options: --strategy run-on --iterations 1 --detect lock-order
#include <semaphore.h>

#include <thread>

sem_t gate;
sem_t a;
sem_t b;

void both(sem_t& first, sem_t& second) {
  sem_wait(&gate);
  sem_wait(&first);
  sem_wait(&second);
  sem_post(&second);
  sem_post(&first);
  sem_post(&gate);
}

int main() {
  for (sem_t* one : {&gate, &a, &b}) sem_init(one, 0, 1);
  std::thread one([] { both(a, b); });
  std::thread two([] { both(b, a); });
  one.join();
  two.join();
  return 0;
}
