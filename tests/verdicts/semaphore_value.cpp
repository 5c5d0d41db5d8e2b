// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sem_getvalue is an operation of its own: its result depends on the posts before it.
//
// expect: clean
// outcomes: a=0 b=0 | a=0 b=1 | a=0 b=2 | a=1 b=1 | a=1 b=2 | a=2 b=2
#include <pthread.h>
#include <ravel/ravel.h>
#include <semaphore.h>

static sem_t semaphore;

static void* poster(void*) {
  sem_post(&semaphore);
  sem_post(&semaphore);
  return nullptr;
}

int main() {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, poster, nullptr);
  int first = 0;
  int second = 0;
  sem_getvalue(&semaphore, &first);
  sem_getvalue(&semaphore, &second);
  pthread_join(thread, nullptr);
  ravel::observe("a", first);
  ravel::observe("b", second);
}
