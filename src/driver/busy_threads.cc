// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/busy_threads.h"

#include <sched.h>

namespace ravel {

BusyThreads::BusyThreads(std::uint32_t count, std::uint32_t cpus) {
  for (std::uint32_t i = 0; i < count; ++i) {
    threads_.emplace_back([this, cpus] {
      use_processors(cpus);
      while (!over_.load(std::memory_order_relaxed)) {
      }
    });
  }
}

BusyThreads::~BusyThreads() {
  over_.store(true);
  for (std::thread& one : threads_) one.join();
}

void use_processors(std::uint32_t count) {
  cpu_set_t ours;
  if (count == 0 || sched_getaffinity(0, sizeof ours, &ours) != 0) return;
  cpu_set_t some;
  CPU_ZERO(&some);
  for (unsigned i = 0; i < CPU_SETSIZE && count > 0; ++i) {
    if (CPU_ISSET(i, &ours) == 0) continue;
    CPU_SET(i, &some);
    --count;
  }
  sched_setaffinity(0, sizeof some, &some);
}

}  // namespace ravel
