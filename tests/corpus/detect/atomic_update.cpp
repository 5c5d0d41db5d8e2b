// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An atomic counter that is updated by a load and a store.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=load,store preemptions=1 message=read-modify-write
// options: --detect atomic-update
#include <atomic>
#include <thread>

std::atomic<int> counter{0};

void work() {
#ifdef FIXED
  counter.fetch_add(1);
#else
  const int seen = counter.load();  // here: load
  counter.store(seen + 1);          // here: store
#endif
}

int main() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return 0;
}
