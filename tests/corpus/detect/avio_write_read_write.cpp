// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A value is wrong for a moment between two sections: another thread reads it just then.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=first,between,last preemptions=1 message=intermediate
// options: --detect avio
#include <mutex>
#include <thread>

int state = 0;
int seen = 0;
std::mutex mutex;

void reset_and_set() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  state = 0;
  state = 7;
#else
  {
    std::lock_guard<std::mutex> guard(mutex);
    state = 0;  // here: first
  }
  std::lock_guard<std::mutex> guard(mutex);
  state = 7;  // here: last
#endif
}

int main() {
  std::thread writer(reset_and_set);
  std::thread reader([] {
    std::lock_guard<std::mutex> guard(mutex);
    seen = state;  // here: between
  });
  writer.join();
  reader.join();
  return 0;
}
