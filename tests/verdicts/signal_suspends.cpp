// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sigsuspend, then atomics.
//
// expect: clean
// outcomes: x=3
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>

static std::atomic<int> x{0};

static void* waiter(void*) {
  sigset_t none;
  sigemptyset(&none);
  sigsuspend(&none);
  x.fetch_add(1);
  x.load();
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { x.fetch_add(2); };
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
  ravel::observe("x", x.load());
}
