// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A mutex whose bytes are copied while a thread locks it: a data race with the thread, and the copy is locked or not.
// What a copy will do is not known beforehand, so a search that goes by the rules of mutexes is not complete.
//
// expect: kind=data-race
// search: dfs dpor clock-vector
// outcomes: busy=0 | busy=1
// incomplete: dpor clock-vector
#include <pthread.h>
#include <ravel/ravel.h>

#include <cstring>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t copy = PTHREAD_MUTEX_INITIALIZER;

static void* locker(void*) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, locker, nullptr);
  std::memcpy(&copy, &mutex, sizeof copy);
  const bool busy = pthread_mutex_trylock(&copy) != 0;
  pthread_join(thread, nullptr);
  ravel::observe("busy", busy ? 1 : 0);
}
