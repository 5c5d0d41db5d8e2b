// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One execution as reachability testing sees it: each operation of a sequence is a sending event (the call) that was
// received by its object (the completion); a data choice is received by its thread. A message that travels by itself
// is a call of its own, as if it were a thread; a queue that is an alternative of a select is the thread of its
// messages. RaceSets says which other calls could have been completed in the place of each: those that were open
// there, and that do not depend on it (Carver, Tai: Modern Multithreading, chapter 7; Lei, Carver: Reachability testing
// of concurrent programs).
//
// Fair time: a call that ends by time-out is withdrawn. It could have been received instead of anything before that
// moment, and of nothing behind it.
//
// Order is that of Steps under StepOrder::kSequences: completions on one object, threads, creation and join, a wait
// before what its mutex does next, a signal before the return of the thread it woke. Openness is asked of prediction.h.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "explore/prediction.h"
#include "explore/reachability_rules.h"
#include "explore/steps.h"

namespace ravel {

class RaceSets {
 public:
  static constexpr std::uint32_t kMaxEvents = 4096;
  static constexpr std::uint32_t kMaxColumns = 64;   // threads
  static constexpr std::uint32_t kMaxParcels = 512;  // messages that were sent and never received
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // A completed operation, a choice, or a call that was withdrawn; behind them the calls that never were completed.
  struct SequenceStep {
    const Step* step = nullptr;
    std::uint32_t index = kNone;  // of the step; kNone: it never came to run
    LastingName thread = 0;
    LastingName object = 0;        // 0: a choice
    std::uint32_t number = 0;      // n-th event, or n-th choice, of its thread, from 1; of a queue its n-th message
    std::uint32_t position = 0;    // on its object, from 0
    std::uint32_t before = kNone;  // the one before on its object
    bool choice = false;
    bool withdrawn = false;
    std::uint32_t sent[kMaxColumns] = {};     // clock: what happens before the call
    std::uint32_t control[kMaxColumns] = {};  // ... before the object could receive it, whatever it received
  };

  RaceSets(std::pmr::memory_resource& memory, const Steps& steps);

  // Takes the execution in. False: it is too big.
  [[nodiscard]] bool take();
  [[nodiscard]] std::uint32_t completed() const { return completed_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const SequenceStep& operator[](std::uint32_t i) const { return events_[i]; }

  // Could `later` have been received in the place of `event`? kMaybe: nobody knows.
  [[nodiscard]] Enabled races(std::uint32_t event, std::uint32_t later);
  // `earlier`, which completed, happens before the completion of `event`, its call, what its object did before.
  [[nodiscard]] bool is_before(std::uint32_t earlier, std::uint32_t event) const {
    // A choice comes behind the operation that it is part of.
    if (events_[earlier].index == events_[event].index) return events_[event].choice;
    return steps_.is_before(events_[earlier].index, events_[event].index);
  }
  [[nodiscard]] bool is_before_call(std::uint32_t earlier, std::uint32_t event) const {
    return is_in(earlier, events_[event].sent);
  }
  [[nodiscard]] bool is_before_control(std::uint32_t earlier, std::uint32_t event) const {
    return is_in(earlier, events_[event].control);
  }
  // Threads of the execution; the clock of a completion has a number for each.
  [[nodiscard]] std::uint32_t threads() const { return steps_.columns(); }
  [[nodiscard]] const std::uint32_t* clock_of(std::uint32_t event) const { return steps_.clock(events_[event].index); }
  // Whether the object could have completed the operation of `other` in the place of `event`, whoever comes first.
  [[nodiscard]] Enabled is_open(std::uint32_t event, const Step& other);
  // Into a clock of zeros: what the object did until the execution ended, which is what would have come before its next
  // event, whatever it received.
  void find_end(LastingName object, std::uint32_t* clock) const;
  // Of a message: the step that sent it.
  [[nodiscard]] std::uint32_t cast_of(const Step& deliver) const;
  // The first operation that the search cannot reason about.
  [[nodiscard]] const Unmodelled& unmodelled() const { return unmodelled_; }
  // Atomics that are no objects of the sequences, but that two accesses which conflict have in no order.
  [[nodiscard]] std::span<const LastingName> undecided_atomics() const { return {atomics_, atomic_count_}; }
  // Where two accesses to the same memory are that nothing orders; 0: nowhere.
  [[nodiscard]] const LocationId (&unordered() const)[2] { return unordered_; }

 private:
  [[nodiscard]] bool is_in(std::uint32_t earlier, const std::uint32_t* clock) const {
    const Step& step = *events_[earlier].step;
    return step.position <= clock[step.column];
  }
  void join(std::uint32_t* to, std::uint32_t step) const;
  [[nodiscard]] Enabled can_come(const Step& call) const;
  bool add(const Step& step, std::uint32_t index);
  bool add_unreceived();
  bool add_untaken();
  [[nodiscard]] bool is_selected(const OperationView& put) const;
  void join_message(const OperationView& select, std::uint32_t* to) const;
  void add_choice(const Step& step, std::uint32_t index);
  void find_call(SequenceStep& event) const;
  void find_control(SequenceStep& event) const;
  void join_given(std::uint64_t mutex, LastingName inbox, std::uint32_t end, std::uint32_t* to) const;
  void look_for_unmodelled();
  [[nodiscard]] bool meets_hidden_release(std::uint32_t attempt) const;
  void look_at_memory(std::uint32_t access);
  [[nodiscard]] bool take_atomic(const Step& one, const Step& other);

  const Steps& steps_;
  Selection selection_;
  std::uint32_t cut_at_ = kNone;  // the step that the selection is cut at
  SequenceStep* events_;
  Step* parcels_;  // as if they were received
  std::uint32_t parcel_count_ = 0;
  std::uint32_t completed_ = 0;
  std::uint32_t count_ = 0;
  Unmodelled unmodelled_;
  LastingName atomics_[kMaxSequenceAtomics];
  std::uint32_t atomic_count_ = 0;
  LocationId unordered_[2] = {0, 0};
};

}  // namespace ravel
