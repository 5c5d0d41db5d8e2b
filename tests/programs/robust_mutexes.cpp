// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Robust mutexes tell of an owner that ended, once or for ever; priority protocols change who runs first, which is up
// to the schedule anyway.
//
// expect: clean
// operations: lock,unlock
#include <pthread.h>

#include <cassert>
#include <cerrno>
#include <thread>

static pthread_mutex_t mended;
static pthread_mutex_t lost;
static int protected_value = 0;

static void init(pthread_mutex_t* m, int protocol) {
  pthread_mutexattr_t attributes;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
  assert(pthread_mutex_init(m, &attributes) == 0);
}

static void lock_mended() {
  const int result = pthread_mutex_lock(&mended);
  if (result == EOWNERDEAD) {
    ++protected_value;
    assert(pthread_mutex_consistent(&mended) == 0);
  } else {
    assert(result == 0);
  }
  assert(pthread_mutex_unlock(&mended) == 0);
}

int main() {
  init(&mended, PTHREAD_PRIO_INHERIT);
  init(&lost, PTHREAD_PRIO_NONE);
  assert(pthread_mutex_consistent(&mended) == EINVAL);
  std::thread dies([] {
    assert(pthread_mutex_lock(&mended) == 0);
    assert(pthread_mutex_lock(&lost) == 0);
    ++protected_value;
  });
  std::thread first(lock_mended);
  std::thread second(lock_mended);
  dies.join();
  first.join();
  second.join();
  lock_mended();
  assert(protected_value == 2);
  assert(pthread_mutex_trylock(&lost) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&lost) == 0);  // not mended
  assert(pthread_mutex_lock(&lost) == ENOTRECOVERABLE);
  assert(pthread_mutex_destroy(&mended) == 0);
  return 0;
}
