// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// _exit: nothing runs any more, but threads that are still there may have gone first.
//
// expect: clean
// outcomes: | x=1 | x=2
#include <pthread.h>
#include <ravel/ravel.h>
#include <unistd.h>

#include <atomic>

static std::atomic<int> x{0};

static void* worker(void*) {
  ravel::observe("x", x.fetch_add(1) + 1);
  ravel::observe("x", x.fetch_add(1) + 1);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  _exit(0);
}
