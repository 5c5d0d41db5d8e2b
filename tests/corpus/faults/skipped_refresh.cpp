// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// "If try_lock fails, somebody else is at it": try_lock may also fail for nothing.
//
// expect: kind=assertion lines=checked preemptions=0
// options: --faults try-lock
// injected: try-lock failed although the lock was free
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex refreshing;
std::atomic<int> refreshed{0};
std::atomic<int> noise{0};

void refresh() {
#ifdef FIXED
  refreshing.lock();
#else
  if (!refreshing.try_lock()) return;
#endif
  ++refreshed;
  refreshing.unlock();
}

}  // namespace

int main() {
  std::thread first(refresh);
  std::thread other([] { ++noise; });
  first.join();
  other.join();
  assert(refreshed == 1);  // here: checked
}
