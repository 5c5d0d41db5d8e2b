// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost update: a counter is read in one section and written in another.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=read,write preemptions=1 message=old.value
// options: --detect avio
#include <mutex>
#include <thread>

int counter = 0;
std::mutex mutex;

void increment() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  counter = counter + 1;
#else
  int seen = 0;
  {
    std::lock_guard<std::mutex> guard(mutex);
    seen = counter;  // here: read
  }
  std::lock_guard<std::mutex> guard(mutex);
  counter = seen + 1;  // here: write
#endif
}

int main() {
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  return 0;
}
