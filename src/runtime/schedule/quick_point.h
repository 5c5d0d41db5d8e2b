// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The scheduling point in its most frequent form: nothing has changed since the running thread's last point, and it
// goes on, because nobody else can run, because the policy never takes the turn from who has it, or because a policy
// that does not look at operations has drawn it again. The scheduler says beforehand whether the next points are of
// that form; whatever changes anything takes it back (changed()). Of the decision only the record is made.
#pragma once

#include <cstdint>

#include "model/plan.h"
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
    kDraws,   // others can, and who runs is drawn: draws_running()
  };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  Mode mode = Mode::kNone;
  std::uint32_t in_a_row = 0;     // points of the running thread at which others could have run
  std::uint32_t options = 0;      // threads that can run
  std::uint32_t enabled_at = 0;   // where they are listed (SharedBlock::enabled)
  Segment* segment = nullptr;     // of the schedule, the running thread's
  std::uint32_t drawn = kNobody;  // with kDraws, of the list: who runs at the point that goes the long way now

  // Nothing is done yet, so the long way is still open.
  [[nodiscard]] __attribute__((always_inline)) bool applies_to(const VirtualThread& running) const {
    return mode != Mode::kNone && !has_signal(running) && !running.spun && in_a_row < kFairPoints;
  }
  // Yields the bits of the event. Only if it applies, and, with kDraws, the running thread was drawn.
  __attribute__((always_inline)) std::uint8_t pass(const VirtualThread& running) {
    if (mode == Mode::kForced) return 0;
    SharedBlock& block = *g.block;
    const std::uint32_t number = block.result.decisions++;
    if (number < kMaxDecisions) block.decisions[number] = {running.index, options, running.index, enabled_at};
    ++segment->count;
    ++in_a_row;
    return kChosen;
  }
};

}  // namespace ravel::rt
