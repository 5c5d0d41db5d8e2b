// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/watchdog.h"

namespace ravel {

Watchdog::Watchdog(Clock::time_point now, Budget budget, std::chrono::milliseconds hang, Deadline deadline)
    : started_(now), moved_(now), time_(budget.time), hang_(hang), deadline_(deadline) {}

WatchdogAction Watchdog::look(Clock::time_point now, const SessionFacts& facts, bool interrupted) {
  if (facts.ended) return WatchdogAction::kNone;
  if (deadline_.passed(now)) return WatchdogAction::kKillAll;
  if (!facts.ready && !interrupted) {
    return now - started_ > kReadyLimit ? WatchdogAction::kNotReady : WatchdogAction::kNone;
  }
  if (facts.executions != executions_ || facts.steps != steps_) {
    executions_ = facts.executions;
    steps_ = facts.steps;
    moved_ = now;
    child_kills_ = 0;
  }
  if (!stopping_ && (interrupted || (time_.count() != 0 && now - started_ >= time_))) {
    stopping_ = true;
    stop_asked_ = now;
    return WatchdogAction::kRequestStop;
  }
  if (stopping_ && now - stop_asked_ > (interrupted ? kStopGrace : kLastExecution)) return WatchdogAction::kKillAll;
  // One that does not move is a hang, and the worker is given the time to say so.
  const auto patience = 2 * hang_ + kStopGrace;
  if (now - moved_ > patience) {
    moved_ = now;
    return ++child_kills_ > 1 ? WatchdogAction::kKillAll : WatchdogAction::kKillChild;
  }
  return WatchdogAction::kNone;
}

}  // namespace ravel
