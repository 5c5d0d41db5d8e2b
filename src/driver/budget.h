// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How long a campaign may go on: wall time, and executions shared out over its shards.
#pragma once

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

// Between two looks lie some milliseconds: after more than this the tool was stopped in between.
inline constexpr Clock::duration kStoppedAfter = std::chrono::seconds(1);

}  // namespace ravel
