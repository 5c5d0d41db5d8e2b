// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One waits a millisecond, the other a second: the order of their time-outs is not in doubt.
//
// outcomes: 1
#include <errno.h>
#include <ravel/ravel.h>
#include <semaphore.h>
#include <time.h>

#include <thread>

static sem_t semaphore;

static int wait_for(long seconds, long nanoseconds) {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  until.tv_nsec += nanoseconds;
  return sem_timedwait(&semaphore, &until) == 0 ? 0 : errno;
}

int main() {
  sem_init(&semaphore, 0, 0);
  int first = 0;
  int second = 0;
  std::thread one([&] { first = wait_for(1, 0); });
  std::thread two([&] {
    second = wait_for(0, 1'000'000);
    sem_post(&semaphore);
  });
  one.join();
  two.join();
  ravel::observe("first", first);
  ravel::observe("second", second);
}
