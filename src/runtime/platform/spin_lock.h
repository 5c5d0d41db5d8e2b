// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The heap's lock. The program's threads share one OS thread and never meet here; only foreign OS threads can, and they
// hold it for a few instructions. Nothing is called while it is held, so that no virtual thread can be switched away.
#pragma once

#include <atomic>

#include "runtime/platform/pages.h"

namespace ravel::rt {

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(1, std::memory_order_acquire) != 0) wait();
  }
  void unlock() { taken_.store(0, std::memory_order_release); }

 private:
  void wait() {
    for (int i = 0; taken_.load(std::memory_order_relaxed) != 0; ++i) {
      if (i % 256 == 255)
        yield_processor();
      else
        __builtin_ia32_pause();
    }
  }
  std::atomic<int> taken_{0};
};

class Locked {
 public:
  explicit Locked(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~Locked() { lock_.unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace ravel::rt
