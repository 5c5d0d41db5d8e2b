// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal sent to a worker may arrive before, between or after its two accesses; after its end it is lost.
//
// expect: clean
// outcomes: seen=1 | seen=7
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>

static std::atomic<int> x{0};
static int seen = 0;

static void* worker(void*) {
  x.store(1);
  seen = x.load();
  return nullptr;
}

static void* killer(void* target) {
  pthread_kill(*static_cast<pthread_t*>(target), SIGUSR1);
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { x.store(7); };
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, worker, nullptr);
  pthread_create(&threads[1], nullptr, killer, &threads[0]);
  pthread_join(threads[1], nullptr);
  pthread_join(threads[0], nullptr);
  ravel::observe("seen", seen);
}
