// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A read of a pipe, then atomics, with a handler that may run at any of them.
//
// expect: clean
// outcomes: byte=5 sum=1 | byte=5 sum=11
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

static int ends[2];
static std::atomic<int> sum{0};
static char byte = 0;

static void* reader(void*) {
  while (read(ends[0], &byte, 1) != 1) {
  }
  sum.fetch_add(1);
  sum.load();
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { sum.fetch_add(10); };
  sigaction(SIGUSR1, &action, nullptr);
  (void)!pipe(ends);
  pthread_t thread;
  pthread_create(&thread, nullptr, reader, nullptr);
  const char five = 5;
  (void)!write(ends[1], &five, 1);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
  ravel::observe("byte", static_cast<int>(byte));
  ravel::observe("sum", sum.load());
}
