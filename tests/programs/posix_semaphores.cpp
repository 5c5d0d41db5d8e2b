// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// POSIX semaphores: wait, try, timed and clock wait, value.
//
// expect: clean
// operations: sem-wait,sem-trywait,sem-post
#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>

namespace {

timespec in_one_second(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 1;
  return time;
}

}  // namespace

int main() {
  sem_t permits;
  assert(sem_init(&permits, 0, 2) == 0);
  int value = 0;
  assert(sem_getvalue(&permits, &value) == 0 && value == 2);
  std::atomic<int> inside{0};
  std::thread threads[3];
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      assert(sem_wait(&permits) == 0);
      assert(++inside <= 2);
      std::this_thread::yield();
      --inside;
      assert(sem_post(&permits) == 0);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  assert(sem_wait(&permits) == 0);
  assert(sem_trywait(&permits) == 0);
  errno = 0;
  assert(sem_trywait(&permits) == -1 && errno == EAGAIN);
  const timespec real = in_one_second(CLOCK_REALTIME);
  assert(sem_timedwait(&permits, &real) == -1 && errno == ETIMEDOUT);
  const timespec monotonic = in_one_second(CLOCK_MONOTONIC);
  assert(sem_clockwait(&permits, CLOCK_MONOTONIC, &monotonic) == -1 && errno == ETIMEDOUT);
  assert(sem_getvalue(&permits, &value) == 0 && value == 0);
  assert(sem_destroy(&permits) == 0);
  return 0;
}
