// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal that comes between the test of the flag and pause() is lost: the loop waits for ever.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

static volatile sig_atomic_t stop = 0;

int main() {
  signal(SIGTERM, [](int) { stop = 1; });
  const pthread_t self = pthread_self();
  std::thread other([self] { pthread_kill(self, SIGTERM); });
  while (!stop) pause();
  other.join();
  ravel::observe("stop", static_cast<int>(stop));
}
