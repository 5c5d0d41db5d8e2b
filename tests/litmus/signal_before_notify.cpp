// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal reaches a thread before or after it notifies one of two waiters: without the handler its next step is one
// that has a choice.
//
// options: --points-exclude lifecycle
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static std::atomic<int> notified{0};
static int seen = -1;
static bool closed = false;
static bool early[2];

static void on_signal(int) {
  seen = notified.load();
}

static void* wait_once(void* number) {
  pthread_mutex_lock(&mutex);
  if (!closed) pthread_cond_wait(&changed, &mutex);
  early[*static_cast<int*>(number)] = !closed;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}
static void* notify(void*) {
  pthread_cond_signal(&changed);
  notified.store(1);
  return nullptr;
}

int main() {
  signal(SIGUSR1, on_signal);
  int numbers[] = {0, 1};
  pthread_t first, second, notifier;
  pthread_create(&first, nullptr, wait_once, &numbers[0]);
  pthread_create(&second, nullptr, wait_once, &numbers[1]);
  pthread_create(&notifier, nullptr, notify, nullptr);
  pthread_kill(notifier, SIGUSR1);
  pthread_join(notifier, nullptr);
  pthread_mutex_lock(&mutex);
  closed = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(first, nullptr);
  pthread_join(second, nullptr);
  ravel::observe("seen", seen);
  ravel::observe("early", early[0] + 2 * early[1]);
}
