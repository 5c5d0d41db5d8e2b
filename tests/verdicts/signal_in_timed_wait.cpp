// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler runs in a thread whose timed wait is over, or nearly: the time-out is not forgotten.
//
// expect: clean
// outcomes: result=110
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <ctime>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static std::atomic<int> handled{0};
static int result = 0;

static void* waiter(void*) {
  timespec when = {};
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  while ((result = pthread_cond_timedwait(&condition, &mutex, &when)) == 0) {
  }
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { handled.fetch_add(1); };
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_mutex_lock(&mutex);
  const timespec second = {1, 0};
  nanosleep(&second, nullptr);
  pthread_kill(thread, SIGUSR1);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
  ravel::observe("result", result);
}
