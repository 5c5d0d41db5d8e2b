// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Nested monitors: the wait gives back the inner lock only, and the signaller needs the outer one first.
//
// expect: kind=deadlock threads=T0,T1 lines=wait preemptions=1
// cause: blocked-thread
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex outer;
std::mutex inner;
std::condition_variable filled;
bool full = false;

void take() {
#ifndef FIXED
  std::lock_guard<std::mutex> guard(outer);
#endif
  std::unique_lock<std::mutex> lock(inner);
  while (!full) filled.wait(lock);  // here: wait
  full = false;
}

void put() {
  std::lock_guard<std::mutex> guard(outer);
  std::lock_guard<std::mutex> lock(inner);
  full = true;
  filled.notify_one();
}

int main() {
  std::thread taker(take);
  put();
  taker.join();
  return 0;
}
