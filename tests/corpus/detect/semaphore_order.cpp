// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two semaphores used as locks, taken in both orders, and a lock beside a semaphore: predicted from an execution in
// which nobody waited, and driven into.
//
// expect: kind=deadlock threads=T1,T2 lines=one,two
// options: --strategy run-on --iterations 1 --detect lock-order
#include <pthread.h>
#include <semaphore.h>

sem_t a;
sem_t b;
int meals = 0;

void* one(void*) {
  sem_wait(&a);
  sem_wait(&b);  // here: one
  ++meals;
  sem_post(&b);
  sem_post(&a);
  return nullptr;
}

void* two(void*) {
#ifdef FIXED
  sem_wait(&a);
  sem_wait(&b);
#else
  sem_wait(&b);
  sem_wait(&a);  // here: two
#endif
  ++meals;
  sem_post(&a);
  sem_post(&b);
  return nullptr;
}

int main() {
  sem_init(&a, 0, 1);
  sem_init(&b, 0, 1);
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, one, nullptr);
  pthread_create(&threads[1], nullptr, two, nullptr);
  pthread_join(threads[0], nullptr);
  pthread_join(threads[1], nullptr);
  return meals == 2 ? 0 : 1;
}
