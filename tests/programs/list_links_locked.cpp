// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lists that threads change under a lock, hand over whole, or keep for themselves: no race, and no element is lost.
//
// expect: clean
// operations: read,write,lock
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::list<int> shared{1, 2, 3};

static void work(int number) {
  std::list<int> own{number, number + 1};
  own.reverse();
  {
    std::lock_guard lock(mutex);
    shared.splice(shared.end(), own);
    shared.splice(shared.begin(), shared, std::prev(shared.end()));
  }
  assert(own.empty());
  std::list<int> taken;
  {
    std::lock_guard lock(mutex);
    taken.swap(shared);
  }
  taken.push_back(number);
  taken.pop_back();
  std::lock_guard lock(mutex);
  shared.merge(taken);
}

int main() {
  std::thread first(work, 10);
  work(20);
  first.join();
  int sum = 0;
  for (int value : shared) sum += value;
  assert(sum == 1 + 2 + 3 + 10 + 11 + 20 + 21);
  return 0;
}
