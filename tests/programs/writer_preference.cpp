// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock that prefers writers and does not allow recursive readers: the second read lock waits behind a writer that
// waits for the first.
//
// expect: kind=deadlock threads=T0,T1 preemptions=1
#include <pthread.h>

#include <cassert>
#include <thread>

static pthread_rwlock_t lock;

int main() {
  pthread_rwlockattr_t attributes;
  assert(pthread_rwlockattr_init(&attributes) == 0);
  const int kind = PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  assert(pthread_rwlockattr_setkind_np(&attributes, kind) == 0);
  assert(pthread_rwlock_init(&lock, &attributes) == 0);
  std::thread writer([] {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  writer.join();
  return 0;
}
