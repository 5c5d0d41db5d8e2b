// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Watches one free run from outside: reads its wait-for graph from shared memory and from /proc, and says when it is
// stuck. The order of what is asked makes a deadlock certain: a snapshot counts if it is the same twice, if every
// thread of it sleeps in a futex of the kernel all the time while it is taken again, and if no other process has the
// memory of what they wait for.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "driver/budget.h"
#include "driver/free_process.h"
#include "driver/wait_for.h"

namespace ravel {

enum class FreeStop : std::uint8_t {
  kNone,
  kDeadlock,     // by the wait-for graph
  kHang,         // nothing moved and no processor time was used for the given time
  kCut,          // it moves, and did not end within its limit
  kInterrupted,  // a person, or the end of the time
};

// Where a thread waits, or last did.
std::vector<std::uint64_t> frames_of(const FreeThread& thread);

class FreeWatch {
 public:
  FreeWatch(const FreeProcess& process, std::chrono::milliseconds hang) : process_(process), hang_(hang) {}

  // To be called again and again while the process runs.
  FreeStop look(Clock::time_point now);
  [[nodiscard]] const std::vector<ThreadWait>& stuck() const { return stuck_; }

 private:
  // Longer than a run may be busy without an end; a program that needs more is given a longer --hang.
  static constexpr int kBusyFactor = 30;

  [[nodiscard]] WaitSnapshot snapshot() const;
  // How often each of them has left the processor, if all sleep in a futex.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> asleep(const std::vector<ThreadWait>& threads) const;
  [[nodiscard]] bool sleep_at_once(const std::vector<ThreadWait>& threads, const WaitSnapshot& seen) const;
  [[nodiscard]] bool may_be_woken_from_outside(const std::vector<ThreadWait>& threads) const;
  [[nodiscard]] std::int32_t tid_of(std::uint32_t thread) const;
  [[nodiscard]] std::uint32_t holder_of(const ThreadWait& wait) const;

  const FreeProcess& process_;
  std::chrono::milliseconds hang_;
  WaitSnapshot last_;
  std::vector<ThreadWait> stuck_;
  std::uint64_t activity_ = ~std::uint64_t{0};
  Clock::time_point started_{};
  Clock::time_point moved_{};
};

}  // namespace ravel
