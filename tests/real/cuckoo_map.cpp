// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// libcuckoo's hash map: counts of three threads add up, through upsert and a grow of the table. BROKEN changes a value
// through a reference that has left its lock.
//
// expect: clean
// broken: kind=data-race|assertion
// decisive: named
#include <cassert>
#include <libcuckoo/cuckoohash_map.hh>
#include <thread>

int main() {
  libcuckoo::cuckoohash_map<int, int> map(4);
  map.insert(1, 0);
  auto add = [&](int key) {
#ifdef BROKEN
    int* leaked = nullptr;
    map.find_fn(1, [&](const int& value) { leaked = const_cast<int*>(&value); });
    ++*leaked;
#else
    map.upsert(
        1, [](int& value) { ++value; }, 1);
#endif
    map.insert(key, key);
  };
  std::thread first(add, 10);
  std::thread second(add, 20);
  add(30);
  first.join();
  second.join();
  int value = 0;
  assert(map.find(1, value) && value == 3);
  assert(map.size() == 4);
  return 0;
}
