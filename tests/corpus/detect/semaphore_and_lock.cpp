// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock and a semaphore that is used as one, in both orders.
//
// expect: kind=deadlock threads=T1,T2 lines=one,two
// options: --strategy run-on --iterations 1 --detect lock-order
#include <semaphore.h>

#include <mutex>
#include <thread>

sem_t tokens;
std::mutex table;
int rows = 0;

void take_and_lock() {
  sem_wait(&tokens);
  table.lock();  // here: one
  ++rows;
  table.unlock();
  sem_post(&tokens);
}

int main() {
  sem_init(&tokens, 0, 1);
  std::thread one(take_and_lock);
  std::thread two([] {
#ifdef FIXED
    take_and_lock();
#else
    table.lock();
    sem_wait(&tokens);  // here: two
    ++rows;
    sem_post(&tokens);
    table.unlock();
#endif
  });
  one.join();
  two.join();
  return rows == 2 ? 0 : 1;
}
