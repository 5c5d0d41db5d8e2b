// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A cancelled condition wait has its mutex back when the cleanup handler runs.
//
// expect: clean
// outcomes: cancelled=0 held=0 | cancelled=1 held=0 | cancelled=1 held=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <cassert>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool ready = false;
static int held = 0;

static void give_back(void*) {
  held = 1;
  assert(pthread_mutex_unlock(&mutex) == 0);
}

static void* waiter(void*) {
  pthread_testcancel();
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(give_back, nullptr);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_cancel(thread);
  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  void* result = nullptr;
  pthread_join(thread, &result);
  ravel::observe("held", held);
  ravel::observe("cancelled", result == PTHREAD_CANCELED ? 1 : 0);
}
