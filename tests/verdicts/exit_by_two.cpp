// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads call exit: the handlers run once.
//
// expect: clean
// outcomes: handled=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>
#include <cassert>
#include <cstdlib>

static std::atomic<int> handled{0};

static void* worker(void*) {
  exit(0);
}

int main() {
  atexit([] {
    ravel::observe("handled", handled.fetch_add(1) + 1);
    assert(handled.load() == 1);
  });
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  return 0;
}
