// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// <threads.h>: threads with int results, mutexes of each type, conditions with time-outs, keys with destructors,
// one-time calls.
//
// expect: clean
// operations: create,join,lock,trylock,wait,signal,broadcast,once-begin,sleep
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int turns = 0;
static int initialised = 0;
static int destroyed = 0;

static void initialise(void) {
  ++initialised;
}

static void destroy(void* value) {
  mtx_lock(&mutex);
  destroyed += *(int*)value;
  mtx_unlock(&mutex);
}

static int work(void* argument) {
  int own = 1;
  call_once(&once, initialise);
  assert(initialised == 1);
  assert(tss_get(key) == NULL);
  assert(tss_set(key, argument) == thrd_success);
  assert(tss_get(key) == argument);
  assert(mtx_lock(&mutex) == thrd_success);
  turns += own;
  assert(cnd_signal(&changed) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  if (*(int*)argument == 1) thrd_exit(41);
  return 42;
}

static int wait_for_both(void* argument) {
  (void)argument;
  mtx_lock(&mutex);
  while (turns < 2) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  return -7;
}

int main(void) {
  static int one = 1;
  static int two = 2;
  assert(mtx_init(&mutex, mtx_timed) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_t waiter, first, second;
  assert(thrd_create(&waiter, wait_for_both, NULL) == thrd_success);
  assert(thrd_create(&first, work, &one) == thrd_success);
  assert(thrd_create(&second, work, &two) == thrd_success);
  int result = 0;
  assert(thrd_join(first, &result) == thrd_success && result == 41);
  assert(thrd_join(second, &result) == thrd_success && result == 42);
  mtx_lock(&mutex);
  cnd_broadcast(&changed);
  assert(destroyed == 3);
  struct timespec when;
  timespec_get(&when, TIME_UTC);
  when.tv_sec += 5;
  int state = thrd_success;
  while (state == thrd_success) state = cnd_timedwait(&changed, &mutex, &when);
  assert(state == thrd_timedout);
  mtx_unlock(&mutex);
  assert(thrd_join(waiter, &result) == thrd_success && result == -7);
  mtx_t nested;
  assert(mtx_init(&nested, mtx_recursive | mtx_timed) == thrd_success);
  assert(mtx_lock(&nested) == thrd_success && mtx_trylock(&nested) == thrd_success);
  mtx_unlock(&nested);
  mtx_unlock(&nested);
  mtx_destroy(&nested);
  const struct timespec nap = {1, 0};
  assert(thrd_sleep(&nap, NULL) == 0);
  thrd_yield();
  assert(thrd_equal(thrd_current(), thrd_current()));
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return 0;
}
