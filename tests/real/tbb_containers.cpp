// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// TBB's concurrent queue, hash map and vector. The library is not instrumented, its templates are. BROKEN uses an
// accessor's value after its lock is gone.
//
// expect: clean
// when: long
// broken: kind=data-race|assertion
// decisive: named
// libraries: -ltbb
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_vector.h>

#include <atomic>
#include <cassert>
#include <thread>

using Map = tbb::concurrent_hash_map<int, int>;

int main() {
  Map map;
  tbb::concurrent_queue<int> queue;
  std::atomic<int> sum{0};
  auto work = [&](int value) {
    {
      Map::accessor entry;
      map.insert(entry, 1);
#ifdef BROKEN
      int& leaked = entry->second;
      entry.release();
      leaked += value;
#else
      entry->second += value;
#endif
    }
    queue.push(value);
    int taken = 0;
    if (queue.try_pop(taken)) sum += taken;
  };
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  int taken = 0;
  while (queue.try_pop(taken)) sum += taken;
  Map::const_accessor entry;
  assert(map.find(entry, 1) && entry->second == 3);
  assert(sum == 3);
  return 0;
}
