// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes: normal, recursive, error-checking, timed, try; and what the standard library makes of them.
//
// expect: clean
// operations: lock,trylock,unlock
#include <pthread.h>
#include <time.h>

#include <cassert>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

void make(pthread_mutex_t& mutex, int type) {
  pthread_mutexattr_t attributes;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_settype(&attributes, type) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  assert(pthread_mutexattr_destroy(&attributes) == 0);
}

timespec in_one_second(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 1;
  return time;
}

void error_checking() {
  pthread_mutex_t mutex;
  make(mutex, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  std::thread other([&mutex] {
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    const timespec real = in_one_second(CLOCK_REALTIME);
    assert(pthread_mutex_timedlock(&mutex, &real) == ETIMEDOUT);
    const timespec monotonic = in_one_second(CLOCK_MONOTONIC);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &monotonic) == ETIMEDOUT);
  });
  other.join();
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_destroy(&mutex) == 0);
}

void recursive() {
  pthread_mutex_t mutex;
  make(mutex, PTHREAD_MUTEX_RECURSIVE);
  int depth = 0;
  const auto climb = [&] {
    for (int i = 0; i < 3; ++i) {
      assert(pthread_mutex_lock(&mutex) == 0);
    }
    assert(pthread_mutex_trylock(&mutex) == 0);
    ++depth;
    for (int i = 0; i < 4; ++i) {
      assert(pthread_mutex_unlock(&mutex) == 0);
    }
  };
  std::thread first(climb);
  std::thread second(climb);
  first.join();
  second.join();
  assert(depth == 2);
  assert(pthread_mutex_destroy(&mutex) == 0);
}

void standard() {
  std::mutex one;
  std::recursive_mutex two;
  std::timed_mutex three;
  std::recursive_timed_mutex four;
  int counter = 0;
  const auto count = [&] {
    std::scoped_lock both(one, three);
    std::lock_guard<std::recursive_mutex> outer(two);
    std::lock_guard<std::recursive_mutex> inner(two);
    assert(four.try_lock_for(1h));
    ++counter;
    four.unlock();
  };
  std::thread first(count);
  std::thread second(count);
  first.join();
  second.join();
  assert(counter == 2);

  three.lock();
  std::thread waiter([&] {
    assert(!three.try_lock());
    assert(!three.try_lock_for(5ms));
    assert(!three.try_lock_until(std::chrono::system_clock::now() + 5ms));
  });
  waiter.join();
  three.unlock();
}

}  // namespace

int main() {
  error_checking();
  recursive();
  standard();
  return 0;
}
