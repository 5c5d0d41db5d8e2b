// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A race that the order of two critical sections hides: one execution without preemption shows none. It is predicted
// and then driven into.
//
// expect: kind=data-race threads=T1,T2 lines=before,after preemptions=0
// options: --strategy run-on --iterations 1 --detect predicted-race
#include <mutex>
#include <thread>

int value = 0;
int turns = 0;
std::mutex mutex;

int main() {
  std::thread one([] {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex);
    value = 1;
    ++turns;
#else
    value = 1;  // here: before
    std::lock_guard<std::mutex> guard(mutex);
    ++turns;
#endif
  });
  std::thread two([] {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex);
    ++turns;
    value = 2;
#else
    {
      std::lock_guard<std::mutex> guard(mutex);
      ++turns;
    }
    value = 2;  // here: after
#endif
  });
  one.join();
  two.join();
  return 0;
}
