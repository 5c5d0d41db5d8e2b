// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/wait_for.h"

#include <algorithm>

namespace ravel {
namespace {

const ThreadWait* find(const WaitSnapshot& now, std::uint32_t thread) {
  for (const ThreadWait& wait : now.threads) {
    if (wait.thread == thread) return &wait;
  }
  return nullptr;
}

bool waits_for_ever(const ThreadWait& wait) {
  return wait.kind != OpKind::kNone && wait.kind != OpKind::kSleep && !wait.timed;
}

// From `first` along those who are waited for; empty if that does not come back to it.
std::vector<ThreadWait> circle_from(const WaitSnapshot& now, const ThreadWait& first) {
  std::vector<ThreadWait> circle;
  const ThreadWait* at = &first;
  while (at != nullptr && waits_for_ever(*at) && circle.size() <= now.threads.size()) {
    circle.push_back(*at);
    if (at->waits_for == first.thread) return circle;
    at = at->waits_for == kNoHolder ? nullptr : find(now, at->waits_for);
  }
  return {};
}

}  // namespace

std::vector<ThreadWait> find_deadlock(const WaitSnapshot& now) {
  for (const ThreadWait& wait : now.threads) {
    std::vector<ThreadWait> circle = circle_from(now, wait);
    if (!circle.empty()) return circle;
  }
  const bool all =
      !now.others && !now.threads.empty() && std::all_of(now.threads.begin(), now.threads.end(), waits_for_ever);
  return all ? now.threads : std::vector<ThreadWait>{};
}

}  // namespace ravel
