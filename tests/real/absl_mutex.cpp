// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// abseil: its mutex and its synchronisation primitives, in a library that is not instrumented. BROKEN leaves the lock
// out.
//
// expect: clean
// when: long
// broken: kind=deadlock also=data-race
// decisive: named
// libraries: -labsl_synchronization -labsl_strings -labsl_base -labsl_time -labsl_raw_logging_internal
#include <absl/synchronization/mutex.h>
#include <absl/synchronization/notification.h>

#include <cassert>
#include <thread>

int main() {
  absl::Mutex mutex;
  absl::Notification done;
  int guarded = 0;
  auto add = [&] {
#ifndef BROKEN
    const absl::MutexLock lock(&mutex);
#endif
    if (++guarded == 2) done.Notify();
  };
  std::thread first(add);
  std::thread second(add);
  done.WaitForNotification();
  first.join();
  second.join();
  assert(guarded == 2);
  return 0;
}
