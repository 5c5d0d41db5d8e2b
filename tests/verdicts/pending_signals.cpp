// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sigpending sees what was sent to the thread or the process before it.
//
// expect: clean
// outcomes: first=0 second=0 | first=0 second=1 | first=1 second=1
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

static pthread_t target;

static void* sender(void*) {
  pthread_kill(target, SIGUSR1);
  return nullptr;
}

static int look() {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, SIGUSR1);
}

int main() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  target = pthread_self();
  pthread_t thread;
  pthread_create(&thread, nullptr, sender, nullptr);
  const int first = look();
  const int second = look();
  pthread_join(thread, nullptr);
  ravel::observe("first", first);
  ravel::observe("second", second);
}
