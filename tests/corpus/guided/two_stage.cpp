// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// TwoStage(w, r): two stages that belong together are protected by two locks. A reader between a writer's stages sees
// the new value of the first and the old value of the second. Once a writer has finished the defect is gone.
// FIXED: both stages under both locks.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

std::mutex first_lock;
std::mutex second_lock;
int first = 0;
int second = 0;

void writer() {
#ifdef FIXED
  std::scoped_lock both(first_lock, second_lock);
  first = 1;
  second = first + 1;
#else
  first_lock.lock();
  first = 1;
  first_lock.unlock();  // here: first stage done
  second_lock.lock();
  second = first + 1;
  second_lock.unlock();
#endif
}

void reader() {
#ifdef FIXED
  std::scoped_lock both(first_lock, second_lock);
  if (first != 0) ravel::check(second == first + 1, "second == first + 1");
#else
  first_lock.lock();
  const int one = first;
  first_lock.unlock();
  if (one == 0) return;
  second_lock.lock();
  const int two = second;  // here: second stage read
  second_lock.unlock();
  ravel::check(two == one + 1, "two == one + 1");
#endif
}

int main(int argc, char** argv) {
  const int writers = argc > 1 ? std::atoi(argv[1]) : 1;
  const int readers = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i) threads.emplace_back(writer);
  for (int i = 0; i < readers; ++i) threads.emplace_back(reader);
  for (std::thread& thread : threads) thread.join();
}
