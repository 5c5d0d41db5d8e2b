// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock that prefers writers: readers and a writer in all orders, nobody is stuck.
//
// outcomes: 3
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

static pthread_rwlock_t lock;
static int value = 0;

int main() {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  int seen[2];
  std::thread writer([] {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
  });
  const auto read = [&](int i) {
    pthread_rwlock_rdlock(&lock);
    seen[i] = value;
    pthread_rwlock_unlock(&lock);
  };
  std::thread other([&] { read(0); });
  read(1);
  writer.join();
  other.join();
  ravel::observe("sum", seen[0] + seen[1]);
}
