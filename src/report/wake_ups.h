// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who waits for which condition variable, and which signal had a choice of whom to wake.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "model/event.h"

namespace ravel {

class WakeUps {
 public:
  // The event with index `i`, in order.
  void add(const Event& e, std::size_t i) {
    if (e.kind == OpKind::kCondWait) {
      waiting_[place_of(e)].insert(e.thread);
      chosen_.erase(e.thread);
    } else if (e.kind == OpKind::kCondBroadcast) {
      waiting_.erase(place_of(e));
    } else if (e.kind == OpKind::kCondReacquire) {
      waiting_[place_of(e)].erase(e.thread);
      chosen_.erase(e.thread);
    } else if (e.kind == OpKind::kCondSignal && e.value != kNoThread) {
      std::set<ThreadIndex>& there = waiting_[place_of(e)];
      const auto woken = static_cast<ThreadIndex>(e.value);
      if (there.size() > 1) chosen_[woken] = i;
      there.erase(woken);
    }
  }
  // Threads that a signal here could wake, in the order of their numbers.
  [[nodiscard]] const std::set<ThreadIndex>& waiters(const Event& signal) { return waiting_[place_of(signal)]; }
  [[nodiscard]] bool waits(ThreadIndex thread, std::uint64_t condition) {
    return waiting_[condition].count(thread) != 0;
  }
  // The signal that woke this thread, which has not gone on yet, and could have woken another one.
  [[nodiscard]] std::optional<std::size_t> chosen_by(ThreadIndex thread) const {
    const auto found = chosen_.find(thread);
    return found == chosen_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::uint64_t, std::set<ThreadIndex>> waiting_;  // by condition
  std::map<ThreadIndex, std::size_t> chosen_;
};

}  // namespace ravel
