// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sigwait takes a signal that another thread sends, before or after it waits.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>
#include <thread>

int main() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::atomic<int> x{0};
  int number = 0;
  int seen = 0;
  std::thread waiter([&] {
    sigwait(&set, &number);
    seen = x.load();
  });
  pthread_kill(waiter.native_handle(), SIGUSR1);
  x.store(1);
  waiter.join();
  ravel::observe("number", number == SIGUSR1);
  ravel::observe("seen", seen);
}
