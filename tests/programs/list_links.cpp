// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A cache that moves what it finds to the front, under a shared lock: readers change the list's links in code of
// libstdc++, and that is seen.
//
// expect: kind=data-race lines=splice,splice
#include <list>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Cache {
 public:
  int first() {
    std::shared_lock lock(mutex_);
    items_.splice(items_.begin(), items_, std::prev(items_.end()));  // here: splice
    return items_.front();
  }

 private:
  std::shared_mutex mutex_;
  std::list<int> items_{1, 2, 3};
};

int main() {
  Cache& cache = *new Cache;  // never destroyed: the race alone is what is looked for
  std::thread other([&] { cache.first(); });
  cache.first();
  other.join();
  return 0;
}
