// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A C program: threads, a mutex and C11 atomics, for the C side of the compiler wrapper.
//
// expect: clean
// operations: lock,unlock,rmw
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int guarded = 0;
static atomic_int counter = 0;

static void* work(void* argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
  ++guarded;
  pthread_mutex_unlock(&mutex);
  atomic_fetch_add(&counter, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  }
  for (int i = 0; i < 2; ++i) {
    assert(pthread_join(threads[i], NULL) == 0);
  }
  assert(guarded == 2);
  assert(counter == 2);
  return 0;
}
