// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pthread_tryjoin_np: whether the thread has ended is the schedule's business.
//
// expect: clean
// outcomes: first=0 x=2 | first=16 x=0 | first=16 x=1 | first=16 x=2
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>

static std::atomic<int> x{0};

static void* worker(void*) {
  x.store(1);
  x.store(2);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  const int first = pthread_tryjoin_np(thread, nullptr);
  ravel::observe("x", x.load());
  ravel::observe("first", first);
  if (first != 0) pthread_join(thread, nullptr);
}
