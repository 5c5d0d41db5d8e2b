// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// OwnerLock: a lock in memory that processes share. It says who has it. A process that is killed keeps it: whoever
// comes in its place finds that out, puts right what was left half done, and lets go. Nobody waits here for long:
// waiting, with an eye on being told to stop, is the caller's. Zero is a free lock.
#pragma once

#include <atomic>
#include <cstdint>

namespace ravel {

class OwnerLock {
 public:
  // Tries for some microseconds, as long as others have it usually.
  [[nodiscard]] bool try_take(std::uint32_t who) {
    for (std::uint32_t tries = 0; tries < kTries; ++tries) {
      std::uint32_t owner = owner_.load(std::memory_order_relaxed);
      if (owner == who + 1) return true;
      if (owner == 0 && owner_.compare_exchange_strong(owner, who + 1, std::memory_order_acquire)) return true;
      relax();
    }
    return false;
  }
  [[nodiscard]] bool is_held_by(std::uint32_t who) const { return owner_.load(std::memory_order_relaxed) == who + 1; }
  void release() { owner_.store(0, std::memory_order_release); }

 private:
  static constexpr std::uint32_t kTries = 1000;
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  std::atomic<std::uint32_t> owner_{0};
};

}  // namespace ravel
