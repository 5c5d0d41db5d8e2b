// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads in one forced order, by semaphores: every execution has the same coverage (tests/system/coverage.py has
// the whole set of every metric, by line).
// std::thread would add accesses of its own, as many as the optimiser leaves.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <mutex>

std::mutex outer;
std::mutex inner;
int total = 0;
std::atomic<int> flag{0};
sem_t first_done;
sem_t second_done;

void* first(void*) {
  outer.lock();
  total = 1;
  inner.lock();
  inner.unlock();
  outer.unlock();
  flag.store(1, std::memory_order_release);
  sem_post(&first_done);
  sem_wait(&second_done);
  total = 3;
  return nullptr;
}

void* second(void*) {
  sem_wait(&first_done);
  const int ready = flag.load(std::memory_order_acquire);
  outer.lock();
  const int seen = total;
  total = 2;
  outer.unlock();
  sem_post(&second_done);
  if (seen != 1 || ready != 1) __builtin_abort();
  return nullptr;
}

int main() {
  sem_init(&first_done, 0, 0);
  sem_init(&second_done, 0, 0);
  pthread_t one;
  pthread_t two;
  pthread_create(&one, nullptr, first, nullptr);
  pthread_create(&two, nullptr, second, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  return total == 3 ? 0 : 1;
}
