// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// RaceRows: an execution that reachability testing has analysed, and the row of its race table that is being run. Rows
// are numbers with one digit per event that can be changed, and are made one after the other; each becomes a variant,
// the part of the sequence that is sure to happen when these events are changed (spelled out in reachability.cc).
//
// It lies in memory that outlives a killed process, as one block with the numbers of race_sets.h in it: no pointers.
// Its size is the length of the execution times its threads. Everything but the digits is written once. These are there
// twice, each with the step of the search that wrote them: what a step that was lost has written is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "explore/race_sets.h"
#include "model/divergence.h"
#include "model/sequence.h"

namespace ravel {

// Of an entry of a variant: SequenceEvent::pad.
inline constexpr std::uint8_t kBlackEntry = 1;

// A part of a sequence that is forced; anything may follow.
struct Variant {
  SequenceEvent* list = nullptr;
  std::uint32_t count = 0;

  // Of the entries: an alternative of a choice, not an operation.
  static bool is_choice(const SequenceEvent& entry) { return entry.match == SequenceMatch::kOld && entry.woken != 0; }
};

class RaceRows {
 public:
  // What is analysed: the variant's entry for each event, null where it has none, and the race table.
  struct Column {
    std::uint32_t event = 0;
    std::uint32_t first = 0;  // of the alternatives: calls, or numbers of a choice
    std::uint32_t size = 0;
  };
  struct Analysed {
    const RaceSets& races;
    const Variant& variant;
    std::span<const SequenceEvent* const> entries;
    std::span<const Column> columns;
    std::span<const std::uint32_t> alternatives;
    std::uint64_t below = 0;  // where the execution lies that this one came from; 0: nowhere
    std::uint32_t depth = 0;
  };

  [[nodiscard]] static std::size_t bytes_for(const Analysed& analysed);
  // Into memory of this size, aligned to 8. Row zero, which is the execution itself, as of step `step`.
  static RaceRows& write(void* memory, const Analysed& analysed, std::uint64_t step);

  [[nodiscard]] std::uint64_t below() const { return below_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // The row as of step `step`, and the next one for step `step` + 1; false: there is none.
  bool advance(std::uint64_t step);
  // The row that step `step` + 1 has prepared is passed over.
  bool advance_again(std::uint64_t step);
  // The variant of the row as of step `step`; room for kMaxSequence entries, `scratch' for RaceSets::kMaxEvents names.
  // False: it is too long.
  [[nodiscard]] bool make_variant(std::uint64_t step, Variant& made, LastingName* scratch) const;
  // What the entry of a variant of this execution was there: its kind and where it was called.
  void describe(const SequenceEvent& entry, Divergence& out) const;
  // The part of all rows, each with what is below it, that comes before the one of step `step`, and the part of that.
  void measure(std::uint64_t step, double& before, double& part) const;

 private:
  static constexpr std::uint32_t kGone = 0xffffffffu;  // digit: the event does not happen
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr std::uint8_t kIsChoice = 1;
  static constexpr std::uint8_t kIsOld = 2;
  static constexpr std::uint8_t kIsBlack = 4;
  static constexpr std::uint8_t kIsWithdrawn = 8;  // a call, and no event of its object

  struct Kept {
    LastingName thread;
    LastingName object;
    std::uint32_t number;
    std::uint32_t index;     // of the step
    std::uint32_t position;  // of the step, in its thread
    std::uint32_t column;    // of clocks
    std::uint32_t taken;     // of a choice
    std::uint32_t digit_at;  // its column of the table; kGone: it has none
    std::uint8_t flags;
    OpKind kind;
    std::uint8_t pad[2];
    LocationId location;
  };
  [[nodiscard]] const Kept* events() const { return reinterpret_cast<const Kept*>(this + 1); }
  [[nodiscard]] Kept* events() { return reinterpret_cast<Kept*>(this + 1); }
  // Places for any new call that nothing came to.
  [[nodiscard]] const SequenceEvent* carried() const {
    return reinterpret_cast<const SequenceEvent*>(events() + count_);
  }
  [[nodiscard]] const Column* columns() const { return reinterpret_cast<const Column*>(carried() + carried_count_); }
  [[nodiscard]] const std::uint32_t* alternatives() const {
    return reinterpret_cast<const std::uint32_t*>(columns() + column_count_);
  }
  // Of each completed event the clock of its completion, then of each event those of its call and of its object, then
  // of each place that is carried over that of its object when the execution ended.
  [[nodiscard]] const std::uint32_t* clocks() const { return alternatives() + alternative_count_; }
  [[nodiscard]] std::uint32_t clock_count() const { return completed_ + 2 * count_ + carried_count_; }
  [[nodiscard]] std::uint32_t* digits(unsigned slot) {
    auto* all = const_cast<std::uint32_t*>(clocks()) + std::size_t{clock_count()} * threads_;
    return all + std::size_t{slot} * column_count_;
  }
  [[nodiscard]] const std::uint32_t* digits(unsigned slot) const { return const_cast<RaceRows*>(this)->digits(slot); }
  [[nodiscard]] unsigned slot_of(std::uint64_t step) const;

  [[nodiscard]] bool is_in(std::uint32_t earlier, const std::uint32_t* clock) const {
    return events()[earlier].position <= clock[events()[earlier].column];
  }
  [[nodiscard]] bool is_before(std::uint32_t earlier, std::uint32_t event) const {
    if (events()[earlier].index == events()[event].index) return (events()[event].flags & kIsChoice) != 0;
    return is_in(earlier, clocks() + std::size_t{event} * threads_);
  }
  [[nodiscard]] bool is_before_call(std::uint32_t earlier, std::uint32_t event) const {
    return is_in(earlier, clocks() + std::size_t{completed_ + event} * threads_);
  }
  [[nodiscard]] bool is_before_control(std::uint32_t earlier, std::uint32_t event) const {
    return is_in(earlier, clocks() + std::size_t{completed_ + count_ + event} * threads_);
  }
  [[nodiscard]] bool is_before_carried(std::uint32_t earlier, std::uint32_t place) const {
    return is_in(earlier, clocks() + std::size_t{completed_ + 2 * count_ + place} * threads_);
  }

  void fill(const Analysed& analysed);
  bool next_row(std::uint32_t* digit) const;
  [[nodiscard]] bool calls_are_left(const std::uint32_t* digit) const;
  [[nodiscard]] static bool is_changed(std::uint32_t digit) { return digit != 0 && digit != kGone; }
  [[nodiscard]] std::uint32_t new_call(const std::uint32_t* digit, std::uint32_t column) const {
    return alternatives()[columns()[column].first + digit[column] - 1];
  }
  template <class Before>
  [[nodiscard]] bool changed_before(const std::uint32_t* digit, Before&& before) const {
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      if (is_changed(digit[c]) && before(columns()[c].event)) return true;
    }
    return false;
  }
  [[nodiscard]] bool becomes_black(const std::uint32_t* digit, std::uint32_t event) const;
  struct Making;
  void put_event(Making& making, std::uint32_t event) const;
  void carry_over(Making& making) const;
  void put_calls(Making& making) const;

  std::uint64_t below_;
  std::uint64_t bytes_;
  std::uint64_t stamps_[2];  // steps that wrote the digits
  std::uint32_t depth_;
  std::uint32_t count_;  // events; completed ones first
  std::uint32_t completed_;
  std::uint32_t threads_;
  std::uint32_t carried_count_;
  std::uint32_t column_count_;
  std::uint32_t alternative_count_;
};
static_assert(sizeof(RaceRows) % 8 == 0);

}  // namespace ravel
