// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which events take and give back a lock, once for all who ask, and the stretches of a trace during which locks were
// held.
#pragma once

#include <cstddef>
#include <vector>

#include "model/event.h"

namespace ravel {

inline constexpr bool releases(OpKind kind) {
  return kind == OpKind::kMutexUnlock || kind == OpKind::kRwUnlock;
}

enum class LockStep { kNone, kTake, kTakeShared, kGiveBack };

struct LockChange {
  LockStep step = LockStep::kNone;
  std::uint64_t place = 0;
};

// A condition wait gives its mutex back and takes it again.
LockChange lock_change(const Event& event);

struct LockSpan {
  ThreadIndex thread = 0;
  std::uint64_t place = 0;
  std::size_t from = 0;  // index of the event that took it
  std::size_t to = 0;    // index of the event that gave it back; the number of events if none did
  bool shared = false;   // read side of a reader-writer lock
};

// In the order of the events that took them.
std::vector<LockSpan> lock_spans(const std::vector<Event>& events);

}  // namespace ravel
