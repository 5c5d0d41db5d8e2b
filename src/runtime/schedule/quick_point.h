// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The scheduling point in its most frequent form: nothing has changed since the running thread's last point, and it
// goes on, either because nobody else can run or because the policy never takes the turn from who has it. The scheduler
// says beforehand whether the next points are of that form; whatever changes anything takes it back (changed()). Of the
// decision only the record is made.
#pragma once

#include <cstdint>

#include "model/plan.h"
#include "runtime/platform/hidden.h"
#include "runtime/schedule/mail.h"
#include "runtime/state/state.h"

namespace ravel::rt {

// A thread that keeps running for so long while others could is set back once: an unfair schedule would make a
// program that waits in a loop look like a livelock.
inline constexpr std::uint32_t kFairPoints = 1'000;

struct QuickPoint {
  enum class Mode : std::uint8_t {
    kNone,    // the next point goes the long way
    kForced,  // nobody else can run
    kGoesOn,  // others can, and are not let
  };
  Mode mode = Mode::kNone;
  std::uint32_t in_a_row = 0;    // points of the running thread at which others could have run
  std::uint32_t options = 0;     // threads that can run
  std::uint32_t enabled_at = 0;  // where they are listed (SharedBlock::enabled)
  Segment* segment = nullptr;    // of the schedule, the running thread's
};
RAVEL_HIDDEN extern QuickPoint g_quick;

// Nothing is done yet, so the long way is still open.
__attribute__((always_inline)) inline bool is_quick_point(const VirtualThread& self) {
  return g_quick.mode != QuickPoint::Mode::kNone && !has_signal(self) && !self.spun && g_quick.in_a_row < kFairPoints;
}
// Yields the bits of the event. Only if is_quick_point().
__attribute__((always_inline)) inline std::uint8_t pass_quick_point(const VirtualThread& self) {
  if (g_quick.mode == QuickPoint::Mode::kForced) return 0;
  SharedBlock& block = *g.block;
  const std::uint32_t number = block.result.decisions++;
  if (number < kMaxDecisions) block.decisions[number] = {self.index, g_quick.options, self.index, g_quick.enabled_at};
  ++g_quick.segment->count;
  ++g_quick.in_a_row;
  return kChosen;
}

}  // namespace ravel::rt
