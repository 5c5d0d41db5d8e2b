// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The right way: the signal is blocked from before the test until sigsuspend() waits. Nothing is lost.
//
// outcomes: 1
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <thread>

static volatile sig_atomic_t stop = 0;

int main() {
  signal(SIGTERM, [](int) { stop = 1; });
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const pthread_t self = pthread_self();
  std::thread other([self] { pthread_kill(self, SIGTERM); });
  while (!stop) sigsuspend(&before);
  other.join();
  ravel::observe("stop", static_cast<int>(stop));
}
