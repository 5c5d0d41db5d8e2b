// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A mutex that is unlocked twice.
//
// expect: kind=misuse threads=T1 lines=again
#include <pthread.h>

#include <thread>

int main() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::thread careless([&mutex] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);  // here: again
  });
  std::thread other([&mutex] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  careless.join();
  other.join();
  return 0;
}
