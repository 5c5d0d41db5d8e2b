// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The same with a signal for the process: who gets it is a choice that dpor does not follow, and the thread that ends
// may get it, too.
//
// outcomes: 2
// strategies: dfs dpor
// expect: not-complete kill
#include <ravel/ravel.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

static volatile sig_atomic_t stop = 0;

int main() {
  signal(SIGTERM, [](int) { stop = 1; });
  std::thread other([] { kill(getpid(), SIGTERM); });
  while (!stop) pause();
  other.join();
  ravel::observe("stop", static_cast<int>(stop));
}
