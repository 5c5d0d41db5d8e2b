// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A mutex that is unlocked by a thread that does not hold it.
//
// expect: kind=misuse threads=T1 lines=unlock
#include <pthread.h>

#include <thread>

int main() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  std::thread stranger([&mutex] {
    pthread_mutex_unlock(&mutex);  // here: unlock
  });
  std::thread waiter([&mutex] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  stranger.join();
  waiter.join();
  return 0;
}
