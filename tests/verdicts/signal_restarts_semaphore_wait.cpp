// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SA_RESTART: the wait goes on after the handler; without it the caller gets EINTR.
//
// expect: clean
// outcomes: handled=1
#include <pthread.h>
#include <ravel/ravel.h>
#include <semaphore.h>
#include <signal.h>

#include <atomic>
#include <cassert>
#include <cerrno>

static sem_t semaphore;
static std::atomic<int> handled{0};
static std::atomic<int> after{0};

static void* waiter(void*) {
  assert(sem_wait(&semaphore) == 0);
  after.fetch_add(1);
  after.load();
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { handled.fetch_add(1); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_kill(thread, SIGUSR1);
  sem_post(&semaphore);
  pthread_join(thread, nullptr);
  assert(after == 1);
  ravel::observe("handled", handled.load());
}
