// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler that sets lock-free atomics and a flag of its own thread, for signals from another thread, the process and
// a timer.
//
// expect: clean
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<int> handled{0};
volatile sig_atomic_t seen = 0;

void handle(int) {
  handled.fetch_add(1, std::memory_order_relaxed);
}

void note(int) {
  seen = 1;
}

}  // namespace

int main() {
  struct sigaction action = {};
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, nullptr);
  action.sa_handler = note;
  sigaction(SIGUSR2, &action, nullptr);
  std::thread target([] {
    while (handled.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    raise(SIGUSR2);
    assert(seen == 1);
  });
  pthread_kill(target.native_handle(), SIGUSR1);
  kill(getpid(), SIGUSR1);
  target.join();
  assert(handled == 2 || handled == 1);
  return 0;
}
