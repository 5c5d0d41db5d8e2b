// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Synchronisation objects on the heap that are destroyed as early as POSIX and the C++ standard allow:
//   mutex      by who gets it last, while the one that gave it back is still on its way out of unlock
//   condition  when all waiters have been notified; they may still have to get the mutex back
//   semaphore  by who has taken the unit, while the one that posted it is still on its way out
//   barrier    by the serial thread, while others have not left yet
//
// expect: clean
// iterations: 300
// operations: lock,unlock,wait,reacquire,sem-post,arrive,leave
#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace {

void of_a_mutex() {
  struct Shared {
    std::mutex mutex;
    int users = 2;
  };
  auto* const shared = new Shared;
  const auto leave = [shared] {
    shared->mutex.lock();
    const bool last = --shared->users == 0;
    shared->mutex.unlock();
    if (last) delete shared;
  };
  std::thread other(leave);
  leave();
  other.join();
}

void of_a_condition() {
  std::mutex mutex;
  bool ready = false;
  int waiting = 0;
  auto* const condition = new std::condition_variable;
  const auto wait = [&] {
    std::unique_lock<std::mutex> guard(mutex);
    ++waiting;
    if (!ready) condition->wait(guard);
  };
  std::thread first(wait);
  std::thread second(wait);
  for (bool all = false; !all; std::this_thread::yield()) {
    const std::lock_guard<std::mutex> guard(mutex);
    all = waiting == 2;
    if (!all) continue;
    ready = true;
    condition->notify_all();
    delete condition;
  }
  first.join();
  second.join();
}

void of_a_semaphore() {
  auto* const semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  std::thread other([semaphore] { sem_post(semaphore); });
  sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  other.join();
}

void of_a_barrier() {
  auto* const barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 3);
  const auto meet = [barrier] {
    if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(barrier);
    delete barrier;
  };
  std::thread first(meet);
  std::thread second(meet);
  meet();
  first.join();
  second.join();
}

}  // namespace

int main() {
  of_a_mutex();
  of_a_condition();
  of_a_semaphore();
  of_a_barrier();
  return 0;
}
