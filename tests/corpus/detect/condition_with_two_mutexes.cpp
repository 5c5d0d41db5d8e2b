// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads wait on one condition variable at the same time, each with a mutex of its own.
//
// expect: kind=misuse threads=T1|T2 lines=wait message=two.different.mutexes
#include <pthread.h>

#include <thread>

struct Side {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  bool ready = false;
};

Side sides[2];
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

pthread_mutex_t& mutex_of(Side& side) {
#ifdef FIXED
  (void)side;
  return sides[0].mutex;
#else
  return side.mutex;
#endif
}

void await(Side& side) {
  pthread_mutex_lock(&mutex_of(side));
  while (!side.ready) pthread_cond_wait(&changed, &mutex_of(side));  // here: wait
  pthread_mutex_unlock(&mutex_of(side));
}

void set(Side& side) {
  pthread_mutex_lock(&mutex_of(side));
  side.ready = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex_of(side));
}

int main() {
  std::thread one([] { await(sides[0]); });
  std::thread two([] { await(sides[1]); });
  set(sides[0]);
  set(sides[1]);
  one.join();
  two.join();
  return 0;
}
