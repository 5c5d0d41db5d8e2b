// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Prediction: what a thread's next operation would do in a state that was never run: the state behind a selection of
// the steps of one execution that is closed under happens-before (so that these steps do what they did). Can it run
// there, and with which outcome? Wake-up trees are only exact when both are known beforehand; a guess on the safe side
// would be run redundantly.
//
// The objects' states are computed again from the selected steps, by the rules of semantics/. Where the events do not
// tell, the answer is kMaybe (try it) or an open outcome, which depends on more than any that is known.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/steps.h"

namespace ravel {

// Steps before `begin`, and those from there on that do not happen after it, less what was taken out. Of each thread
// that is all up to some step.
class Selection {
 public:
  Selection(const Steps& steps, std::pmr::memory_resource& memory);

  // Everything that does not happen after `begin`.
  void cut(std::uint32_t begin);
  // Everything before `end` and nothing else.
  void keep_before(std::uint32_t end);
  // Takes a step and all that happens after it out as well.
  void remove(std::uint32_t step);
  [[nodiscard]] bool has(std::uint32_t step) const {
    if (step < begin_) return true;
    return counted_ ? steps_[step].position <= last_[steps_[step].column] : !steps_.is_before(begin_, step);
  }
  [[nodiscard]] std::uint32_t begin() const { return begin_; }
  [[nodiscard]] const Steps& steps() const { return steps_; }

  // visit(i) for the selected steps from `begin` on that are before `end`, in order.
  template <class Visit>
  void visit_rest(std::uint32_t end, Visit&& visit) const {
    const std::uint32_t few = (end - begin_) / (8 * steps_.columns());
    if (few != 0 && count_rest() < few) {
      for (std::uint32_t at = begin_; (at = next_selected(at)) < end; ++at) visit(at);
      return;
    }
    for (std::uint32_t i = begin_; i < end; ++i) {
      if (has(i)) visit(i);
    }
  }

 private:
  // How many of a thread's steps do not happen after `step`.
  [[nodiscard]] std::uint32_t not_after(std::uint32_t step, std::uint32_t column) const;
  // Behind cut(): by thread, as most are never asked about.
  void count_by_thread() const;
  [[nodiscard]] std::uint32_t count_rest() const;
  // The first one that is selected, from a step on.
  [[nodiscard]] std::uint32_t next_selected(std::uint32_t from) const;

  const Steps& steps_;
  std::uint32_t* last_;   // per thread: the position of the last step that is selected
  std::uint32_t* first_;  // per thread: how many steps come before `begin`
  std::uint32_t begin_ = 0;
  mutable bool counted_ = true;  // last_ and first_ are right; else everything that does not happen after `begin_`
};

enum class Enabled : std::uint8_t { kNo, kMaybe, kYes };

struct Prediction {
  Enabled enabled = Enabled::kNo;
  Act act;
  bool open = false;  // the outcome is not known
  std::uint32_t options = 0;
  std::uint32_t blocker = kNoStep;  // not enabled because of this step: whoever holds what it needs
};

// Which kinds are tried although nobody has asked: those that have no rules in semantics/. A variable so that the tests
// can have all of them tried and see that no behaviour is lost.
using GuessRule = bool (*)(OpKind kind);
extern GuessRule guess_rule;

// `next` is the operation as it was executed, or as it was pending at the end.
Prediction predict(const Selection& past, const Step& next);

// The same where `earlier` would be, with all that does not happen after it. Whoever holds what `next` needs is taken
// out of the selection.
Prediction predict_before(Selection& past, std::uint32_t earlier, const Step& next);

// What was predicted, against what was run.
bool came_out_otherwise(const Act& meant, const Act& done);

// Does the model agree with the execution itself? The first step that came out otherwise than predicted from the steps
// before it; kNone: all is well, or the execution is too long for the question.
Unmodelled find_disagreement(Selection& past);

// Who waits on the condition variable at `place`, by thread index; the n-th is alternative n of a signal. Yields the
// number; *nth is the name of the n-th. Where a signal wakes the longest waiting, that is the only one.
std::uint32_t waiters_at(const Selection& past, std::uint64_t place, std::uint32_t n, std::uint32_t* nth);
// Messages that a receive can get behind the selected steps; *nth is the n-th, 0 if there are fewer.
std::uint32_t messages_at(const Selection& past, const OperationView& receive, std::uint32_t n, std::uint64_t* nth);
// A queue whose message a select can take.
struct SelectedQueue {
  const Step* enlisted = nullptr;  // what made it an alternative
  std::uint16_t number = 0;        // of the message
};
// Of the open queues that have a message behind the selected steps, in the order of their bits: how many, and the n-th.
std::uint32_t queues_at(const Selection& past, const OperationView& select, std::uint32_t n, SelectedQueue& nth);
// Whether the plan's sequence admits its next message.
bool admits_queue(const Selection& past, const Step& select, const Step& enlisted);
// Whether the inbox is open to the queue of a select that takes a message, and whether it could take that very one.
bool is_open_to_queue(const Selection& past, const OperationView& select);
bool can_be_selected(const Selection& past, const OperationView& select);
bool can_be_delivered(const Selection& past, std::uint64_t place, std::uint16_t rules, std::uint64_t message);

}  // namespace ravel
