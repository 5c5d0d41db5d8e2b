// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The lock is made of atomics. The runtime runs one thread at a time, so nobody waits for long.
#include "own_lock.h"

#include <sched.h>

#include <atomic>

namespace {
std::atomic<int> taken{0};
}

void own_lock() {
  for (int none = 0; !taken.compare_exchange_strong(none, 1); none = 0) sched_yield();
}

void own_unlock() {
  taken.store(0);
}
