// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Watchdog of one session: decides, from what the session shows of itself, when to ask it to stop, when to kill a
// process that no longer moves, and when to give up. Pure over the facts it is shown, so it is tested without
// processes. The worker watches its own child with the same limit; ours is longer and only acts when that failed.
#pragma once

#include <chrono>
#include <cstdint>

#include "driver/budget.h"

namespace ravel {

struct SessionFacts {
  bool ended = false;
  bool ready = false;
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
};

enum class WatchdogAction {
  kNone,
  kRequestStop,  // the time is over
  kKillChild,    // nothing moved for long: the execution hangs
  kKillAll,      // nothing helped, the stop was not obeyed in time, or the deadline has come
  kNotReady,     // the runtime never took over
};

class Watchdog {
 public:
  Watchdog(Clock::time_point now, Budget budget, std::chrono::milliseconds hang, Deadline deadline = {});

  // The tool itself did not run for so long: it was stopped, and the program with it.
  void forgive(Clock::duration pause) {
    started_ += pause;
    moved_ += pause;
    stop_asked_ += pause;
  }

  WatchdogAction look(Clock::time_point now, const SessionFacts& facts, bool interrupted);

 private:
  static constexpr std::chrono::seconds kReadyLimit{10};
  static constexpr std::chrono::milliseconds kStopGrace{3'000};
  // When the time is over, the execution in hand may come to its end, whatever it does.
  static constexpr std::chrono::milliseconds kLastExecution{1'000};

  Clock::time_point started_;
  Clock::time_point moved_;
  Clock::time_point stop_asked_{};
  std::chrono::milliseconds time_;
  std::chrono::milliseconds hang_;
  Deadline deadline_;
  std::uint64_t executions_ = 0;
  std::uint64_t steps_ = 0;
  int child_kills_ = 0;
  bool stopping_ = false;
};

}  // namespace ravel
