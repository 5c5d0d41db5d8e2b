// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pthread_once by two threads, and what it stores.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static std::atomic<int> x{0};
static int kept = 0;

int main() {
  std::thread other([] { pthread_once(&once, [] { kept = x.load(); }); });
  x.store(1);
  pthread_once(&once, [] { kept = x.load(); });
  other.join();
  ravel::observe("kept", kept);
}
