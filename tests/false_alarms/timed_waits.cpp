// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Timed waits of every kind with time-outs that a correct program never reaches.
//
// expect: clean
#include <semaphore.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::timed_mutex timed;
  std::shared_timed_mutex shared;
  std::binary_semaphore given(0);
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  sem_t posix;
  sem_init(&posix, 0, 0);
  timed.lock();
  std::thread other([&] {
    {
      const std::lock_guard<std::mutex> guard(mutex);
      ready = true;
    }
    changed.notify_one();
    std::this_thread::sleep_for(10ms);
    given.release();
    promise.set_value(1);
    sem_post(&posix);
    assert(timed.try_lock_for(1h));
    timed.unlock();
    assert(shared.try_lock_shared_for(1h));
    shared.unlock_shared();
  });
  {
    std::unique_lock<std::mutex> guard(mutex);
    assert(changed.wait_for(guard, 1min, [&] { return ready; }));
  }
  assert(given.try_acquire_for(1min));
  assert(future.wait_until(std::chrono::system_clock::now() + 1min) == std::future_status::ready);
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  assert(sem_timedwait(&posix, &end) == 0);
  assert(shared.try_lock_until(std::chrono::steady_clock::now() + 1h));
  std::this_thread::sleep_for(1s);
  shared.unlock();
  timed.unlock();
  other.join();
  sem_destroy(&posix);
  return 0;
}
