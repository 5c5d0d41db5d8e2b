// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signal handlers and the signal mask.
//
// isolation: repeat
#include <signal.h>

#include "left_behind.h"

std::atomic<int> received{0};

int main() {
  struct sigaction old = {};
  assert(sigaction(SIGUSR1, nullptr, &old) == 0 && old.sa_handler == SIG_DFL);
  struct sigaction action = {};
  action.sa_handler = [](int) { received.fetch_add(1); };
  sigaction(SIGUSR1, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  raise(SIGUSR1);
  assert(received.load() == 1);
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, &before);
  assert(sigismember(&before, SIGUSR2) == 0);
  in_two_threads([](int) {});
}
