// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that is detached by one thread and joined by another.
//
// expect: kind=misuse threads=T0 lines=join message=join.of.a.detached.thread
#include <pthread.h>

#include <atomic>

std::atomic<bool> gave_up{false};
std::atomic<bool> done{false};

void* work(void*) {
  done.store(true);
  return nullptr;
}

void* watch(void* worker) {
#ifndef FIXED
  if (!done.load()) {
    gave_up.store(true);
    pthread_detach(*static_cast<pthread_t*>(worker));
  }
#else
  (void)worker;
#endif
  return nullptr;
}

int main() {
  pthread_t worker;
  pthread_t watcher;
  pthread_create(&worker, nullptr, work, nullptr);
  pthread_create(&watcher, nullptr, watch, &worker);
  pthread_join(watcher, nullptr);
  pthread_join(worker, nullptr);  // here: join
  return 0;
}
