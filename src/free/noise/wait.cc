// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// wait: takes a monitor that all threads share, waits on it for a time, and releases it. The monitor is ours alone.
#include <linux/futex.h>
#include <time.h>

#include "free/noise/seedings.h"
#include "runtime/platform/raw.h"

namespace ravel::fr {

PrivateMonitor g_monitor;

namespace {

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* time) {
  rt::raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, value, reinterpret_cast<long>(time));
}

}  // namespace

void PrivateMonitor::lock() {
  std::uint32_t expected = 0;
  if (word_.compare_exchange_strong(expected, 1, std::memory_order_acquire)) return;
  while (word_.exchange(2, std::memory_order_acquire) != 0) futex_wait(word_, 2, nullptr);
}

void PrivateMonitor::unlock() {
  if (word_.exchange(0, std::memory_order_release) == 2) {
    rt::raw_syscall(SYS_futex, reinterpret_cast<long>(&word_), FUTEX_WAKE_PRIVATE, 1);
  }
}

void PrivateMonitor::wait(std::uint32_t microseconds) {
  const timespec time{static_cast<time_t>(microseconds / 1'000'000),
                      static_cast<long>(microseconds % 1'000'000) * 1000};
  unlock();
  futex_wait(waiting_, waiting_.load(std::memory_order_relaxed), &time);
  lock();
}

void wait_noise(std::uint32_t microseconds) {
  g_monitor.lock();
  g_monitor.wait(microseconds);
  g_monitor.unlock();
}

}  // namespace ravel::fr
