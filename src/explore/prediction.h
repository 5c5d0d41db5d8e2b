// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Prediction: what a thread's next operation would do in a state that was never run: the state behind a selection of
// the steps of one execution that is closed under happens-before (so that these steps do what they did). Can it run
// there, and with which outcome? Wake-up trees are only exact when both are known beforehand; a guess on the safe side
// would be run in vain.
//
// The objects' states are computed again from the selected steps, by the rules of semantics/. Where the events do not
// tell (memory written by accesses of different sizes) the answer is the outcome that depends on more.
#pragma once

#include <cstdint>

#include "explore/steps.h"

namespace ravel {

// Steps before `begin`, and those from there on that do not happen after it, less what was taken out.
class Selection {
 public:
  Selection(const Steps& steps, std::uint8_t* out) : steps_(steps), out_(out) {}

  // Everything that does not happen after `begin`.
  void cut(std::uint32_t begin);
  // Takes a step and all that happens after it out as well.
  void remove(std::uint32_t step);
  [[nodiscard]] bool has(std::uint32_t step) const { return step < begin_ || out_[step] == 0; }
  [[nodiscard]] std::uint32_t begin() const { return begin_; }
  [[nodiscard]] const Steps& steps() const { return steps_; }

 private:
  const Steps& steps_;
  std::uint8_t* out_;
  std::uint32_t begin_ = 0;
};

struct Prediction {
  bool enabled = false;
  Act act;
  std::uint32_t options = 0;
  std::uint32_t blocker = kNoStep;  // not enabled because of this step: whoever holds what it needs
};

// `next` is the operation as it was executed, or as it was pending at the end.
Prediction predict(const Selection& past, const Step& next);

// Who waits on the condition variable at `place`, by thread index; the n-th is alternative n of a signal. Yields the
// number; *nth is the name of the n-th.
std::uint32_t waiters_at(const Selection& past, std::uint64_t place, std::uint32_t n, std::uint32_t* nth);

}  // namespace ravel
