// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads in one forced order, by semaphores: every execution has the same coverage (tests/system/coverage.py).
#include <semaphore.h>

#include <mutex>
#include <thread>

std::mutex outer;
std::mutex inner;
int total = 0;
sem_t first_done;

void first() {
  outer.lock();
  total = 1;
  inner.lock();
  inner.unlock();
  outer.unlock();
  sem_post(&first_done);
}

void second() {
  sem_wait(&first_done);
  outer.lock();
  int seen = total;
  outer.unlock();
  if (seen != 1) __builtin_abort();
}

int main() {
  sem_init(&first_done, 0, 0);
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
  return total == 1 ? 0 : 1;
}
