// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A blocked signal stays pending.
//
// isolation: any
#include <signal.h>
#include <unistd.h>

#include "left_behind.h"

int main() {
  sigset_t set;
  sigpending(&set);
  assert(sigismember(&set, SIGUSR1) == 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  in_two_threads([](int) {});
  kill(getpid(), SIGUSR1);
}
