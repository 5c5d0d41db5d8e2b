// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A cancellation takes effect at a cancellation point, or never when the worker has passed its last one.
//
// expect: clean
// outcomes: cancelled=0 x=2 | cancelled=1 x=0 | cancelled=1 x=1
#include <pthread.h>
#include <ravel/ravel.h>

#include <atomic>

static std::atomic<int> x{0};

static void* worker(void*) {
  pthread_testcancel();
  x.store(1);
  pthread_testcancel();
  x.store(2);
  return nullptr;
}

static void* canceller(void* target) {
  pthread_cancel(*static_cast<pthread_t*>(target));
  return nullptr;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, worker, nullptr);
  pthread_create(&threads[1], nullptr, canceller, &threads[0]);
  pthread_join(threads[1], nullptr);
  void* result = nullptr;
  pthread_join(threads[0], &result);
  ravel::observe("x", x.load());
  ravel::observe("cancelled", result == PTHREAD_CANCELED ? 1 : 0);
}
