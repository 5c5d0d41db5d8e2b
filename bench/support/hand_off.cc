// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/hand_off.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace ravel::bench {
namespace {

std::atomic<std::uint32_t> turn{0};

void pin() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

void pass_on(std::uint32_t mine, int count) {
  pin();
  for (int i = 0; i < count; ++i) {
    while (turn.load(std::memory_order_acquire) != mine)
      syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, 1 - mine, nullptr);
    turn.store(1 - mine, std::memory_order_release);
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1);
  }
}

}  // namespace

// Processor time of both threads: others on the machine do not count.
double futex_hand_off_ns(int count) {
  const auto used = [] {
    timespec t = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
  };
  const double begin = used();
  std::thread other(pass_on, 1u, count);
  std::thread one(pass_on, 0u, count);
  one.join();
  other.join();
  return (used() - begin) / (2.0 * count);
}

}  // namespace ravel::bench
