// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lamport's bakery for three threads.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

namespace {

constexpr int kThreads = 3;
std::atomic<bool> choosing[kThreads];
std::atomic<int> number[kThreads];
int guarded = 0;

void lock(int me) {
  choosing[me] = true;
  int highest = 0;
  for (const std::atomic<int>& other : number) {
    const int seen = other.load();
    if (seen > highest) highest = seen;
  }
  number[me] = highest + 1;
  choosing[me] = false;
  for (int other = 0; other < kThreads; ++other) {
    if (other == me) continue;
    while (choosing[other]) std::this_thread::yield();
    for (;;) {
      const int theirs = number[other];
      if (theirs == 0 || std::pair(theirs, other) > std::pair(number[me].load(), me)) break;
      std::this_thread::yield();
    }
  }
}

void work(int me) {
  lock(me);
  ++guarded;
  number[me] = 0;
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  work(0);
  first.join();
  second.join();
  assert(guarded == 3);
  return 0;
}
