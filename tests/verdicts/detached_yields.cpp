// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A detached thread that yields between two stores, and main, which reads and returns.
//
// expect: clean
// outcomes: seen=0 | seen=1 | seen=2
#include <pthread.h>
#include <ravel/ravel.h>
#include <sched.h>

#include <atomic>

static std::atomic<int> x{0};

static void* worker(void*) {
  x.store(1);
  sched_yield();
  x.store(2);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_detach(thread);
  ravel::observe("seen", x.load());
}
