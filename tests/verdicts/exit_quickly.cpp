// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// quick_exit: its handlers run, and other threads before, between and after them.
//
// expect: clean
// outcomes: | gone=0 | gone=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>
#include <cstdlib>

static std::atomic<int> gone{0};

static void* worker(void*) {
  ravel::observe("gone", gone.load());
  return nullptr;
}

int main() {
  at_quick_exit([] { gone.store(1); });
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  quick_exit(0);
}
