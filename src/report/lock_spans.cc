// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/lock_spans.h"

#include <map>
#include <utility>

namespace ravel {

LockChange lock_change(const Event& event) {
  switch (event.kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      return event.failed() ? LockChange{} : LockChange{LockStep::kTake, place_of(event)};
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
      return event.failed() ? LockChange{} : LockChange{LockStep::kTakeShared, place_of(event)};
    case OpKind::kMutexUnlock:
    case OpKind::kRwUnlock:
      return {LockStep::kGiveBack, place_of(event)};
    case OpKind::kCondWait:
      return {LockStep::kGiveBack, event.value};
    case OpKind::kCondReacquire:
      return {LockStep::kTake, event.value};
    default:
      return {};
  }
}

std::vector<LockSpan> lock_spans(const std::vector<Event>& events) {
  std::vector<LockSpan> spans;
  // Of one thread and lock, the spans that are open; the innermost is given back first.
  std::map<std::pair<ThreadIndex, std::uint64_t>, std::vector<std::size_t>> open;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const LockChange change = lock_change(events[i]);
    if (change.step == LockStep::kNone) continue;
    std::vector<std::size_t>& held = open[{events[i].thread, change.place}];
    if (change.step != LockStep::kGiveBack) {
      held.push_back(spans.size());
      spans.push_back({events[i].thread, change.place, i, events.size(), change.step == LockStep::kTakeShared});
    } else if (!held.empty()) {
      spans[held.back()].to = i;
      held.pop_back();
    }
  }
  return spans;
}

}  // namespace ravel
