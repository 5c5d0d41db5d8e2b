// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A mutex that is destroyed while a thread holds it.
//
// expect: kind=misuse threads=T0 lines=destroy
#include <pthread.h>

#include <atomic>
#include <thread>

int main() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<bool> done{false};
  std::thread holder([&done] {
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_mutex_unlock(&mutex);
  });
  while (!done) {
    std::this_thread::yield();
  }
  pthread_mutex_destroy(&mutex);  // here: destroy
  holder.join();
  return 0;
}
