// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Boost.Signals2: slots called while others connect and disconnect. BROKEN has slots that share a counter without a
// lock.
//
// expect: clean
// when: long
// broken: kind=data-race|assertion
// decisive: named
#include <atomic>
#include <boost/signals2.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::signals2::signal<void(int)> changed;
#ifdef BROKEN
  int sum = 0;
#else
  std::atomic<int> sum{0};
#endif
  const auto kept = changed.connect([&](int value) { sum += value; });
  std::thread other([&] {
    const boost::signals2::scoped_connection mine = changed.connect([&](int value) { sum += 10 * value; });
    changed(1);
  });
  changed(2);
  other.join();
  kept.disconnect();
  changed(100);
  assert(sum == 13 || sum == 33);
  return 0;
}
