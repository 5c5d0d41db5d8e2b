// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two waits time out at almost the same time: which one is first depends on who looked at the clock first, and no
// operation says so. The first one may wake the other.
//
// strategies: dfs dpor
// expect: not-complete sem-wait
#include <errno.h>
#include <ravel/ravel.h>
#include <semaphore.h>
#include <time.h>

#include <thread>

static sem_t semaphore;

static int wait_a_millisecond() {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 1'000'000;
  return sem_timedwait(&semaphore, &until) == 0 ? 0 : errno;
}

int main() {
  sem_init(&semaphore, 0, 0);
  int first = 0;
  int second = 0;
  std::thread one([&] { first = wait_a_millisecond(); });
  std::thread two([&] {
    second = wait_a_millisecond();
    sem_post(&semaphore);
  });
  one.join();
  two.join();
  ravel::observe("first", first);
  ravel::observe("second", second);
}
