// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal from a timer: when it comes depends on how much time the steps of all threads took.
//
// expect: not-complete handle
#include <ravel/ravel.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

static std::atomic<int> fired{0};

int main() {
  signal(SIGALRM, [](int) { fired.store(1); });
  std::atomic<int> x{0};
  sigset_t none;
  sigset_t blocked;
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  std::thread other([&] { x.fetch_add(1); });
  alarm(1);
  while (fired.load() == 0) sigsuspend(&none);
  x.fetch_add(1);
  other.join();
  ravel::observe("x", x.load());
}
