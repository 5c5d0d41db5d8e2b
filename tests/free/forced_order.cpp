// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphores leave one order of everything that two threads share: what is covered is the same in every run.
#include <pthread.h>
#include <semaphore.h>

int shared;
int other;
pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
sem_t first;
sem_t second;

void* work(void*) {
  sem_wait(&first);
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  shared = shared + 1;
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  other = 7;
  sem_post(&second);
  return nullptr;
}

int main() {
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_mutex_lock(&outer);
  shared = 1;
  pthread_mutex_unlock(&outer);
  sem_post(&first);
  sem_wait(&second);
  pthread_mutex_lock(&outer);
  const int seen = shared;
  pthread_mutex_unlock(&outer);
  pthread_join(thread, nullptr);
  return seen == 2 && other == 7 ? 0 : 1;
}
