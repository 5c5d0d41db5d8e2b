// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A value is read in one critical section and written back in another: the unit between them is not alone.
//
// expect: kind=atomicity-violation threads=T1|T2 lines=read,write
// options: --detect units
#include <mutex>
#include <thread>

std::mutex lock;
int value = 0;

int get() {
  const std::lock_guard<std::mutex> hold(lock);
  return value;  // here: read
}
void set(int to) {
  const std::lock_guard<std::mutex> hold(lock);
  value = to;  // here: write
}

void add() {
#ifdef FIXED
  const std::lock_guard<std::mutex> hold(lock);
  value = value + 1;
#else
  set(get() + 1);
#endif
}

int main() {
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
#ifdef FIXED
  (void)get;
  (void)set;
#endif
  return 0;
}
