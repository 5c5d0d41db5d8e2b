// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A robust mutex whose owner may have died, and is made consistent or not.
//
// outcomes: 2
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

static pthread_mutex_t mutex;

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  std::thread owner([] { pthread_mutex_lock(&mutex); });
  const int result = pthread_mutex_lock(&mutex);
  if (result == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
  owner.join();
  ravel::observe("owner died", result == EOWNERDEAD);
}
