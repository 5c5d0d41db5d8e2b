// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler that stores 7 runs before, between or after a store of 1 and a load, or not at all.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>
#include <thread>

static std::atomic<int> x{0};

int main() {
  signal(SIGUSR1, [](int) { x.store(7); });
  int seen = 0;
  std::thread worker([&] {
    x.store(1);
    seen = x.load();
  });
  pthread_kill(worker.native_handle(), SIGUSR1);
  worker.join();
  ravel::observe("seen", seen);
}
