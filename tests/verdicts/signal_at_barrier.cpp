// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Handlers do not end a wait at a barrier or for the end of a thread.
//
// expect: clean
// outcomes: handled=1
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>
#include <cassert>

static pthread_barrier_t barrier;
static std::atomic<int> handled{0};
static std::atomic<int> behind{0};

static void* waiter(void*) {
  const int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  behind.fetch_add(1);
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { handled.fetch_add(1); };
  sigaction(SIGUSR1, &action, nullptr);
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_kill(thread, SIGUSR1);
  pthread_barrier_wait(&barrier);
  assert(pthread_join(thread, nullptr) == 0 && behind == 1);
  ravel::observe("handled", handled.load());
}
