// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// main returns while a thread runs: between what the thread did and its note of it, too.
//
// expect: clean
// outcomes: seen=0 | seen=0 stored=1 | seen=1 | seen=1 stored=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>

static std::atomic<int> x{0};

static void* worker(void*) {
  x.store(1);
  ravel::observe("stored", 1);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  ravel::observe("seen", x.load());
}
