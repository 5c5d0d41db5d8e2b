// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Follows a prefix by turns (PrefixKind::kTurns): the first unfinished turn whose thread can run has the next choice. A
// turn is over when its thread has done so many events in all. So a list of turns always means something, whatever was
// left out of it. Entries with kDataChoice come first: the alternatives of data choices, in order.
#pragma once

#include "model/plan.h"

namespace ravel {

class TurnPrefix {
 public:
  void begin(const Segment* prefix, std::uint32_t count) {
    prefix_ = prefix;
    count_ = count;
    data_ = 0;
    first_ = 0;
    while (first_ < count_ && (prefix_[first_].thread & kDataChoice) != 0) ++first_;
    data_end_ = first_;
  }

  // Which of `n` alternatives; false: the prefix does not say.
  bool next_data(std::uint32_t n, std::uint32_t& alternative) {
    if (data_ == data_end_) return false;
    alternative = prefix_[data_++].thread & ~kDataChoice;
    return alternative < n;
  }

  // Whose turn it is; kNoThread: nobody's. `done` yields the events of a thread, `can_run` whether it may be chosen.
  template <class Done, class CanRun>
  ThreadIndex wish(Done&& done, CanRun&& can_run) {
    const std::uint32_t end = count_ - first_ > kLookAhead ? first_ + kLookAhead : count_;
    bool leading = true;
    for (std::uint32_t at = first_; at < end; ++at) {
      const Segment& turn = prefix_[at];
      if (done(turn.thread) >= turn.count) {
        if (leading) first_ = at + 1;
        continue;
      }
      leading = false;
      if (can_run(turn.thread)) return turn.thread;
    }
    return kNoThread;
  }
  [[nodiscard]] bool used_up() const { return first_ == count_ && data_ == data_end_; }

 private:
  static constexpr std::uint32_t kLookAhead = 4096;  // turns of threads that cannot run

  const Segment* prefix_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t data_ = 0;
  std::uint32_t data_end_ = 0;
  std::uint32_t first_ = 0;  // turn that is not known to be over
};

}  // namespace ravel
