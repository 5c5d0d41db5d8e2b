// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A new thread has the floating-point environment of its creator, and keeps its own afterwards.
//
// expect: clean
// outcomes: inherited=1
#include <pthread.h>
#include <ravel/ravel.h>
#include <sched.h>

#include <atomic>
#include <cassert>
#include <cfenv>

static volatile double third = 3.0;
static std::atomic<int> inherited{0};

static void* worker(void*) {
  inherited = fegetround() == FE_UPWARD && 1.0 / third > 1.0 / 3.0 ? 1 : 0;
  fesetround(FE_DOWNWARD);
  return nullptr;
}

int main() {
  assert(fesetround(FE_UPWARD) == 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  sched_yield();
  assert(fegetround() == FE_UPWARD);
  pthread_join(thread, nullptr);
  assert(fegetround() == FE_UPWARD);
  ravel::observe("inherited", inherited.load());
}
