// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Cancellation in a condition wait: the thread ends there, or it had its signal first.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready = 0;

static void unlock(void*) {
  pthread_mutex_unlock(&mutex);
}

static void* wait(void*) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, nullptr);
  while (ready == 0) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, wait, nullptr);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  ravel::observe("cancelled", result == PTHREAD_CANCELED);
}
