// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A timed wait with time-outs that come when they like: each end that is possible, and no other.
//
// options: --timeouts adversarial
// expect: clean
// outcomes: a=0 left=1 b=0 | a=0 left=2 b=110 | a=110 left=2 b=0 | a=110 left=3 b=110
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <semaphore.h>

#include <ctime>

static sem_t semaphore;

static void* poster(void*) {
  sem_post(&semaphore);
  sem_post(&semaphore);
  sem_post(&semaphore);
  return nullptr;
}

static int take() {
  timespec when = {};
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 1;
  return sem_timedwait(&semaphore, &when) == 0 ? 0 : errno;
}

int main() {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, poster, nullptr);
  const int first = take();
  const int second = take();
  pthread_join(thread, nullptr);
  int left = 0;
  sem_getvalue(&semaphore, &left);
  ravel::observe("a", first);
  ravel::observe("b", second);
  ravel::observe("left", left);
}
