// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler ends a sleep early; an atomic behind it is not interrupted.
//
// expect: clean
// outcomes: x=1 | x=3
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

static std::atomic<int> x{0};

static void* sleeper(void*) {
  usleep(1000);
  x.fetch_add(1);
  x.load();
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { x.fetch_add(2); };
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, sleeper, nullptr);
  usleep(1000);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
  ravel::observe("x", x.load());
}
