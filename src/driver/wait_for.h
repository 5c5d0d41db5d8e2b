// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who waits for whom in a running program, and whether that can ever end. Pure over a snapshot, so that it is tested
// without processes. Two rules, both only over waits without a time limit: a circle of threads, each waiting for a lock
// that the next one holds or for the next one's end; or every thread waits and nobody is left to wake anyone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/operation.h"

namespace ravel {

inline constexpr std::uint32_t kNoHolder = ~0u;

struct ThreadWait {
  std::uint32_t thread = 0;
  OpKind kind = OpKind::kNone;  // kNone: it runs
  bool timed = false;
  std::uint64_t object = 0;
  std::vector<std::uint64_t> frames;  // where, innermost first
  std::uint32_t epoch = 0;
  std::uint64_t moves = 0;
  std::uint32_t waits_for = kNoHolder;  // holder of the lock, or the thread to be joined

  friend bool operator==(const ThreadWait&, const ThreadWait&) = default;
};

struct WaitSnapshot {
  std::vector<ThreadWait> threads;  // those that live
  bool others = false;              // threads that are not known, handlers of signals

  friend bool operator==(const WaitSnapshot&, const WaitSnapshot&) = default;
};

// The threads of a deadlock; empty: there is none. A snapshot counts only if it was the same twice.
std::vector<ThreadWait> find_deadlock(const WaitSnapshot& now);

}  // namespace ravel
