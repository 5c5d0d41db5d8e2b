// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reader-writer locks: shared readers, exclusive writers, try and timed forms, shared_mutex and shared_timed_mutex.
//
// expect: clean
// operations: rdlock,wrlock,rwunlock,tryrdlock,trywrlock
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

void posix() {
  pthread_rwlock_t lock;
  assert(pthread_rwlock_init(&lock, nullptr) == 0);
  int value = 0;
  std::atomic<int> readers{0};
  std::atomic<bool> shared{false};
  const auto read = [&] {
    pthread_rwlock_rdlock(&lock);
    if (++readers == 2) {
      shared = true;
    }
    const int before = value;
    std::this_thread::yield();
    assert(value == before);
    --readers;
    pthread_rwlock_unlock(&lock);
  };
  const auto write = [&] {
    pthread_rwlock_wrlock(&lock);
    assert(readers == 0);
    ++value;
    pthread_rwlock_unlock(&lock);
  };
  std::thread first(read);
  std::thread second(read);
  std::thread writer(write);
  first.join();
  second.join();
  writer.join();
  assert(value == 1);

  timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  assert(pthread_rwlock_rdlock(&lock) == 0);
  std::thread intruder([&] {
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
  });
  intruder.join();
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == 0);
  std::thread late([&] {
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    timespec monotonic;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    monotonic.tv_sec += 1;
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &monotonic) == ETIMEDOUT);
  });
  late.join();
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
}

void standard() {
  std::shared_mutex mutex;
  std::shared_timed_mutex timed;
  int value = 0;
  std::thread writer([&] {
    std::unique_lock<std::shared_mutex> lock(mutex);
    ++value;
  });
  std::thread reader([&] {
    std::shared_lock<std::shared_mutex> lock(mutex);
    assert(value == 0 || value == 1);
  });
  writer.join();
  reader.join();

  timed.lock();
  std::thread waiter([&] {
    assert(!timed.try_lock_shared_for(3ms));
    assert(!timed.try_lock_for(3ms));
  });
  waiter.join();
  timed.unlock();
}

}  // namespace

int main() {
  posix();
  standard();
  return 0;
}
