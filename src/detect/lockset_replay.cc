// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/lockset_replay.h"

namespace ravel {

bool LocksetReplay::reaches(ThreadIndex from, ThreadIndex to, std::uint32_t position, bool only_these) {
  if (++evaluation_ == 0) {
    clear_members();
    evaluation_ = 1;
  }
  work_ += log_.size() - position;
  through_ = 0;
  if (work_ > kMaxWork) {
    truncated_ = true;
    return true;
  }
  const Element goal = log_.of_thread(to);
  member_[log_.of_thread(from)] = evaluation_;
  for (std::uint32_t i = position; i < log_.size(); ++i) {
    const Transfer& transfer = log_[i];
    const bool has = transfer.from != 0 && member_[transfer.from] == evaluation_;
    if (only_these && transfer.thread != from && transfer.thread != to) {
      // What others end is ended; only what they bring is left out.
      if (transfer.assigns && !has && member_[transfer.to] == evaluation_) member_[transfer.to] = 0;
      continue;
    }
    if (has) {
      member_[transfer.to] = evaluation_;
      if (transfer.to == goal) {
        through_ = transfer.from;
        reached_at_ = i;
        return true;
      }
    } else if (transfer.assigns) {
      member_[transfer.to] = 0;
    }
  }
  return false;
}

}  // namespace ravel
