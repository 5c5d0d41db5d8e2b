// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A recursive mutex, tried by another thread at each depth.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main() {
  int result = 0;
  std::thread other([&] {
    result = pthread_mutex_trylock(&mutex);
    if (result == 0) pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  other.join();
  ravel::observe("busy", result != 0);
}
