// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A counter without a lock; in the twin joining orders the threads, each with a lock of its own (Eraser would warn).
//
// expect: kind=data-race threads=T1,T2 lines=count
// options: --detect racetrack
// detectors: racetrack
#include <mutex>
#include <thread>

std::mutex a;
std::mutex b;
int counter = 0;

void count(std::mutex& lock) {
  const std::lock_guard<std::mutex> hold(lock);
  ++counter;  // here: count
}

int main() {
  std::thread one([] { count(a); });
#ifdef FIXED
  one.join();
#endif
  std::thread two([] { count(b); });
  std::thread three([] { count(b); });
  two.join();
  three.join();
#ifndef FIXED
  one.join();
#endif
  return 0;
}
