// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How long a campaign may go on: wall time, and executions shared out over its shards.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ravel {

using Clock = std::chrono::steady_clock;

struct Budget {
  std::chrono::milliseconds time{0};  // 0: no limit
  std::uint64_t iterations = 0;       // 0: no limit

  // Executions of one shard; the first shards take what does not divide.
  [[nodiscard]] std::uint64_t share(std::uint32_t index, std::uint32_t count) const {
    if (iterations == 0) return 0;
    return iterations / count + (index < iterations % count ? 1 : 0);
  }
};

// How long the tool was stopped (Ctrl-Z) in all, as far as those who watch programs noticed.
inline Clock::duration g_paused{};

// When a command must be over, whatever the program does: nothing that runs it goes on longer. Pauses do not count.
class Deadline {
 public:
  Deadline() = default;  // never
  explicit Deadline(Clock::time_point at) : at_(at), paused_before_(g_paused) {}

  [[nodiscard]] bool never() const { return at_ == Clock::time_point::max(); }
  [[nodiscard]] bool passed(Clock::time_point now = Clock::now()) const { return !never() && now >= when(); }
  [[nodiscard]] std::chrono::milliseconds left() const {
    if (never()) return std::chrono::hours(24 * 365);
    return std::max(std::chrono::milliseconds(0),
                    std::chrono::duration_cast<std::chrono::milliseconds>(when() - Clock::now()));
  }
  void postpone(Clock::duration by) {
    if (!never()) at_ += by;
  }

 private:
  [[nodiscard]] Clock::time_point when() const { return at_ + (g_paused - paused_before_); }

  Clock::time_point at_ = Clock::time_point::max();
  Clock::duration paused_before_{};
};

// Between two looks lie some milliseconds: after more than this the tool was stopped in between.
inline constexpr Clock::duration kStoppedAfter = std::chrono::seconds(1);

}  // namespace ravel
