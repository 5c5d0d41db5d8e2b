// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler runs while its thread waits for a condition: a spurious wake-up at most.
//
// expect: clean
// outcomes: handled=1
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>
#include <cassert>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool ready = false;
static std::atomic<int> handled{0};

static void* waiter(void*) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  ready = false;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { handled.fetch_add(1); };
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_kill(thread, SIGUSR1);
  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
  assert(!ready);
  ravel::observe("handled", handled.load());
}
