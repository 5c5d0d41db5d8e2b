// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How a thread is disturbed, one file per seeding. All by system calls of our own: no errno, no cancellation point.
#pragma once

#include "free/state.h"

namespace ravel::fr {

void yield_noise(std::uint32_t times);
void sleep_noise(std::uint32_t microseconds);
void wait_noise(std::uint32_t microseconds);     // a timed wait on a private monitor
void busy_wait_noise(std::uint32_t iterations);  // hundreds of turns of a loop
void synch_yield_noise(std::uint32_t times);     // yields that hold the private monitor
// Until no other thread can run; false: given up after kLongestHalt.
bool halt_noise(const FreeThread& self);

// The monitor that the wait and synchYield seedings share.
class PrivateMonitor {
 public:
  void lock();
  void unlock();
  void wait(std::uint32_t microseconds);  // unlocks, waits, locks

 private:
  std::atomic<std::uint32_t> word_{0};  // 0 free, 1 taken, 2 taken and somebody may wait
  std::atomic<std::uint32_t> waiting_{0};
};
extern PrivateMonitor g_monitor;

}  // namespace ravel::fr
