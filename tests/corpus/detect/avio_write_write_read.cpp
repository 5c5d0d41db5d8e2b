// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread sets its ticket and reads it back in another section: it may get somebody else's.
//
// expect: kind=atomicity-violation threads=T1|T2 lines=write,read preemptions=1 message=is.not.what
// options: --detect avio
#include <mutex>
#include <thread>

int ticket = 0;
std::mutex mutex;

int take(int number) {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  ticket = number;
  return ticket;
#else
  {
    std::lock_guard<std::mutex> guard(mutex);
    ticket = number;  // here: write
  }
  std::lock_guard<std::mutex> guard(mutex);
  return ticket;  // here: read
#endif
}

int main() {
  std::thread one([] { take(1); });
  std::thread two([] { take(2); });
  one.join();
  two.join();
  return 0;
}
