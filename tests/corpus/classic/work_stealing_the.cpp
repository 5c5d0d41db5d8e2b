// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// work_stealing_the N: the protocol of Cilk's deque (Frigo, Leiserson, Randall, PLDI 1998): the owner takes from the
// tail without the lock unless the thief may be at the same item. Here the owner does not look again after it has got
// the lock.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr int kMost = 16;
std::atomic<int> head{0};
std::atomic<int> tail{0};
std::mutex lock;
std::atomic<int> taken[kMost];

bool pop(int& item) {
  const int last = tail.load() - 1;
  tail.store(last);
  if (head.load() > last) {
    tail.store(last + 1);
    const std::lock_guard hold(lock);
    const int again = tail.load() - 1;
    tail.store(again);
#ifdef FIXED
    if (head.load() > again) {
      tail.store(again + 1);
      return false;
    }
#else
    if (head.load() > again + 1) {
      tail.store(again + 1);
      return false;
    }
#endif
    item = again;
    return true;
  }
  item = last;
  return true;
}

bool steal(int& item) {
  const std::lock_guard hold(lock);
  const int first = head.load();
  head.store(first + 1);
  if (first + 1 > tail.load()) {
    head.store(first);
    return false;
  }
  item = first;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int items = argc > 1 ? std::atoi(argv[1]) : 2;
  tail = items;
  std::thread thief([items] {
    int item = 0;
    for (int i = 0; i < items; ++i) {
      if (steal(item)) taken[item].fetch_add(1);
    }
  });
  int item = 0;
  for (int i = 0; i < items; ++i) {
    if (pop(item) && item >= 0) taken[item].fetch_add(1);
  }
  thief.join();
  for (int i = 0; i < items; ++i) assert(taken[i].load() <= 1);
}
