// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// poll is interrupted by every handler; what comes after it is not.
//
// expect: clean
// outcomes: handled=1 value=3
#include <poll.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>

static int ends[2];
static std::atomic<int> handled{0};
static std::atomic<int> value{0};

static void* waiter(void*) {
  pollfd one = {ends[0], POLLIN, 0};
  int result = 0;
  while ((result = poll(&one, 1, -1)) < 0) assert(errno == EINTR && handled == 1);
  assert(result == 1);
  value.fetch_add(1);
  value.fetch_add(2);
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { handled.store(1); };
  sigaction(SIGUSR1, &action, nullptr);
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  pthread_kill(thread, SIGUSR1);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(thread, nullptr);
  ravel::observe("handled", handled.load());
  ravel::observe("value", value.load());
}
