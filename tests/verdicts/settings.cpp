// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What holds for the whole process is changed while others run: what a signal does, whether a pipe blocks. No search
// knows which calls look at it, and none says that it has seen everything.
//
// expect: clean
// outcomes: blocks=0 handled=1 | blocks=0 handled=2 | blocks=1 handled=1 | blocks=1 handled=2
// incomplete: dfs dpor
#include <fcntl.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <unistd.h>

#include <csignal>

static int ends[2];
static volatile std::sig_atomic_t handled = 0;

static void one(int) {
  handled = 1;
}
static void two(int) {
  handled = 2;
}

static void* worker(void*) {
  std::signal(SIGUSR1, two);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return nullptr;
}

int main() {
  if (pipe(ends) != 0) return 1;
  std::signal(SIGUSR1, one);
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  std::raise(SIGUSR1);
  const bool blocks = (fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0;
  pthread_join(thread, nullptr);
  ravel::observe("handled", handled);
  ravel::observe("blocks", blocks ? 1 : 0);
}
