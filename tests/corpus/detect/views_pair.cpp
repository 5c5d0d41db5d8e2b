// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A pair is set in two critical sections and read in one: free of races, and yet a reader may see half of it.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=both,first,second preemptions=0 message=in.one.section
// options: --detect views
#include <mutex>
#include <thread>

int x = 0;
int y = 0;
int sum = 0;
std::mutex mutex;

int main() {
  std::thread writer([] {
    mutex.lock();  // here: first
    x = 1;
#ifndef FIXED
    mutex.unlock();
    mutex.lock();  // here: second
#endif
    y = 1;
    mutex.unlock();
  });
  std::thread reader([] {
    mutex.lock();  // here: both
    sum = x + y;
    mutex.unlock();
  });
  writer.join();
  reader.join();
  return 0;
}
