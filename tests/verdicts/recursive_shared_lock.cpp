// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A reader that locks again while a writer waits: the lock prefers writers, so each waits for the other.
//
// expect: kind=deadlock
// note: , behind T1, which waits to write
// never: held by T1
#include <pthread.h>

#include <thread>

int main() {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, &attributes);
  std::thread writer([&] {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  writer.join();
}
