// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An errorcheck mutex: unlocked by a stranger, tried by its owner, locked twice.
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main() {
  int results[3] = {};
  std::thread other([&] { results[0] = pthread_mutex_unlock(&mutex); });
  pthread_mutex_lock(&mutex);
  results[1] = pthread_mutex_lock(&mutex);
  results[2] = pthread_mutex_trylock(&mutex);
  pthread_mutex_unlock(&mutex);
  other.join();
  ravel::observe("results", results[0] + 100 * results[1] + 10000 * results[2]);
}
