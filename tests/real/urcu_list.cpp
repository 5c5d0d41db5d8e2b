// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Userspace RCU: a reader sees the old version or the new one whole, and the writer frees the old one after a grace
// period. BROKEN frees it at once.
//
// expect: clean
// when: long
// broken: kind=use-after-free also=data-race
// libraries: -D_LGPL_SOURCE -lurcu-memb
#include <urcu/urcu-memb.h>

#include <cassert>
#include <thread>

namespace {

struct Version {
  int low;
  int high;
};

Version* current = new Version{1, 1};

void read() {
  urcu_memb_register_thread();
  for (int i = 0; i < 2; ++i) {
    urcu_memb_read_lock();
    const Version* const seen = rcu_dereference(current);
    assert(seen->low == seen->high);
    urcu_memb_read_unlock();
  }
  urcu_memb_unregister_thread();
}

}  // namespace

int main() {
  urcu_memb_init();
  std::thread first([] { read(); });
  std::thread second([] { read(); });
  auto* const next = new Version{2, 2};
  Version* const old = rcu_xchg_pointer(&current, next);
#ifndef BROKEN
  urcu_memb_synchronize_rcu();
#endif
  delete old;
  first.join();
  second.join();
  delete current;
  return 0;
}
