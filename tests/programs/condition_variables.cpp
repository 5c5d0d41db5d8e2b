// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Condition variables: signal, broadcast, timed and clock waits, condition_variable_any, notification at thread exit.
//
// expect: clean
// operations: wait,reacquire,signal,broadcast
#include <pthread.h>
#include <time.h>

#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

timespec in_one_second(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 1;
  return time;
}

void posix() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static int turn = 0;
  std::thread players[2];
  for (int me = 0; me < 2; ++me) {
    players[me] = std::thread([me] {
      for (int round = 0; round < 3; ++round) {
        pthread_mutex_lock(&mutex);
        while (turn % 2 != me) {
          pthread_cond_wait(&condition, &mutex);
        }
        ++turn;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
      }
    });
  }
  players[0].join();
  players[1].join();
  assert(turn == 6);

  pthread_mutex_lock(&mutex);
  const timespec real = in_one_second(CLOCK_REALTIME);
  int error = 0;
  while (error == 0) {
    error = pthread_cond_timedwait(&condition, &mutex, &real);
  }
  assert(error == ETIMEDOUT);
  const timespec monotonic = in_one_second(CLOCK_MONOTONIC);
  error = 0;
  while (error == 0) {
    error = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &monotonic);
  }
  assert(error == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);

  pthread_condattr_t attributes;
  pthread_cond_t steady;
  assert(pthread_condattr_init(&attributes) == 0);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_cond_init(&steady, &attributes) == 0);
  pthread_mutex_lock(&mutex);
  const timespec later = in_one_second(CLOCK_MONOTONIC);
  error = 0;
  while (error == 0) {
    error = pthread_cond_timedwait(&steady, &mutex, &later);
  }
  assert(error == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  assert(pthread_cond_destroy(&steady) == 0);
  assert(pthread_condattr_destroy(&attributes) == 0);
}

void standard() {
  std::mutex mutex;
  std::condition_variable condition;
  bool go = false;
  bool never = false;
  std::thread waiter([&] {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [&] { return go; });
    assert(!condition.wait_for(lock, 20ms, [&] { return never; }));
    assert(!condition.wait_until(lock, std::chrono::system_clock::now() + 20ms, [&] { return never; }));
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    go = true;
  }
  condition.notify_one();
  waiter.join();

  std::shared_mutex table;
  std::condition_variable_any changed;
  int version = 0;
  std::thread reader([&] {
    std::shared_lock<std::shared_mutex> lock(table);
    changed.wait(lock, [&] { return version == 1; });
  });
  {
    std::unique_lock<std::shared_mutex> lock(table);
    version = 1;
  }
  changed.notify_all();
  reader.join();

  bool finished = false;
  std::thread last([&] {
    std::unique_lock<std::mutex> lock(mutex);
    finished = true;
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [&] { return finished; });
  }
  last.join();
}

}  // namespace

int main() {
  posix();
  standard();
  return 0;
}
