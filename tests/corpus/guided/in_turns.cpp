// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks in opposite order and a variable under two locks, which static analysis warns of; but the second thread waits
// for the first, by a flag. EARLY: it does not.
#include <atomic>
#include <mutex>
#include <thread>

#include "ravel/ravel.h"

std::mutex a;
std::mutex b;
int work = 0;
int value = 0;
std::atomic<bool> done{false};

void first() {
  {
    std::lock_guard<std::mutex> outer(a);
    std::lock_guard<std::mutex> inner(b);
    ++work;
  }
  {
    std::lock_guard<std::mutex> guard(a);
    ++value;
  }
  done = true;
}

void second() {
#ifndef EARLY
  while (!done) std::this_thread::yield();
#endif
  {
    std::lock_guard<std::mutex> outer(b);
    std::lock_guard<std::mutex> inner(a);
    ++work;
  }
  std::lock_guard<std::mutex> guard(b);
  ++value;
}

int main() {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
  ravel::check(value == 2, "value == 2");
}
