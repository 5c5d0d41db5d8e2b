// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/race_rows.h"

#include <cstring>
#include <new>

#include "base/invariant.h"

namespace ravel {
namespace {

bool is_unfilled(const RaceRows::Analysed& from, const SequenceEvent& entry) {
  if (entry.match != SequenceMatch::kAnyNew) return false;
  for (const SequenceEvent* filled : from.entries) {
    if (filled == &entry) return false;
  }
  return true;
}

}  // namespace

std::size_t RaceRows::bytes_for(const Analysed& from) {
  const RaceSets& races = from.races;
  std::size_t carried = 0;
  for (std::uint32_t e = 0; e < from.variant.count; ++e) carried += is_unfilled(from, from.variant.list[e]);
  const std::size_t clocks = (races.completed() + 2 * races.count() + carried) * races.threads();
  const std::size_t words = clocks + from.alternatives.size() + 2 * from.columns.size();
  const std::size_t bytes = sizeof(RaceRows) + sizeof(Kept) * races.count() + sizeof(SequenceEvent) * carried +
                            sizeof(Column) * from.columns.size() + sizeof(std::uint32_t) * words;
  return (bytes + 7) & ~std::size_t{7};
}

RaceRows& RaceRows::write(void* memory, const Analysed& from, std::uint64_t step) {
  RaceRows& rows = *new (memory) RaceRows;
  rows.below_ = from.below;
  rows.depth_ = from.depth;
  rows.bytes_ = bytes_for(from);
  rows.count_ = from.races.count();
  rows.completed_ = from.races.completed();
  rows.threads_ = from.races.threads();
  rows.column_count_ = static_cast<std::uint32_t>(from.columns.size());
  rows.alternative_count_ = static_cast<std::uint32_t>(from.alternatives.size());
  rows.fill(from);
  std::memset(rows.digits(0), 0, sizeof(std::uint32_t) * rows.column_count_);
  rows.stamps_[0] = step;
  rows.stamps_[1] = kNever;
  return rows;
}

void RaceRows::fill(const Analysed& from) {
  const RaceSets& races = from.races;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const RaceSets::SequenceStep& event = races[i];
    const bool old = i < completed_ && from.entries[i] != nullptr;
    const bool black = old && (from.entries[i]->pad & kBlackEntry) != 0;
    const auto flags = (event.choice ? kIsChoice : 0) | (old ? kIsOld : 0) | (black ? kIsBlack : 0) |
                       (event.withdrawn ? kIsWithdrawn : 0);
    // Without the rule a choice comes before what its thread does next, and nothing else.
    const std::uint32_t later = event.choice && !reachability_rules.choice_past ? 1 : 0;
    events()[i] = {event.thread,
                   event.object,
                   event.number,
                   event.index,
                   event.step->position + later,
                   event.step->column,
                   event.step->act.choice,
                   kGone,
                   static_cast<std::uint8_t>(flags),
                   event.step->act.op.kind,
                   {},
                   event.step->act.op.location};
  }
  carried_count_ = 0;
  auto* const places = const_cast<SequenceEvent*>(carried());
  for (std::uint32_t e = 0; e < from.variant.count; ++e) {
    if (is_unfilled(from, from.variant.list[e])) places[carried_count_++] = from.variant.list[e];
  }
  auto* const table = const_cast<Column*>(columns());
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    table[c] = from.columns[c];
    events()[table[c].event].digit_at = c;
  }
  if (alternative_count_ != 0) {
    std::memcpy(const_cast<std::uint32_t*>(alternatives()), from.alternatives.data(), from.alternatives.size_bytes());
  }
  auto* clock = const_cast<std::uint32_t*>(clocks());
  const auto copy = [&](const std::uint32_t* one) {
    std::memcpy(clock, one, sizeof(std::uint32_t) * threads_);
    clock += threads_;
  };
  for (std::uint32_t i = 0; i < completed_; ++i) copy(races.clock_of(i));
  for (std::uint32_t i = 0; i < count_; ++i) copy(races[i].sent);
  for (std::uint32_t i = 0; i < count_; ++i) copy(races[i].control);
  for (std::uint32_t k = 0; k < carried_count_; ++k) {
    std::memset(clock, 0, sizeof(std::uint32_t) * threads_);
    races.find_end(places[k].object, clock);
    clock += threads_;
  }
}

// The latest that the step knows of.
unsigned RaceRows::slot_of(std::uint64_t step) const {
  const bool knows_first = stamps_[0] <= step;
  const bool knows_second = stamps_[1] <= step;
  INVARIANT(knows_first || knows_second, "an execution is on the stack from the step on that wrote it");
  if (!knows_second) return 0;
  return knows_first && stamps_[0] > stamps_[1] ? 0 : 1;
}

bool RaceRows::advance(std::uint64_t step) {
  const unsigned now = slot_of(step);
  const unsigned other = 1 - now;
  stamps_[other] = kNever;
  std::memcpy(digits(other), digits(now), sizeof(std::uint32_t) * column_count_);
  if (!next_row(digits(other))) return false;
  stamps_[other] = step + 1;
  return true;
}

bool RaceRows::advance_again(std::uint64_t step) {
  return next_row(digits(slot_of(step + 1)));
}

// Adds one: the last digit that can grow does, those behind it begin again. An event behind a changed one does not
// happen, unless its object would receive all the same.
bool RaceRows::next_row(std::uint32_t* digit) const {
  const Column* const table = columns();
  for (;;) {
    std::uint32_t at = column_count_;
    while (at > 0 && (digit[at - 1] == kGone || digit[at - 1] == table[at - 1].size)) --at;
    if (at == 0) return false;
    ++digit[at - 1];
    for (std::uint32_t j = at; j < column_count_; ++j) {
      const std::uint32_t event = table[j].event;
      const bool old = reachability_rules.recollection && (events()[event].flags & kIsOld) != 0;
      digit[j] = 0;
      for (std::uint32_t i = 0; i < at && digit[j] == 0; ++i) {
        if (!is_changed(digit[i]) || !is_before(table[i].event, event)) continue;
        if (!old || is_before_control(table[i].event, event)) digit[j] = kGone;
      }
    }
    if (calls_are_left(digit)) return true;
  }
}

// A call that is to be received instead must not come behind another change.
bool RaceRows::calls_are_left(const std::uint32_t* digit) const {
  if (!reachability_rules.calls_left) return true;
  const Column* const table = columns();
  for (std::uint32_t j = 0; j < column_count_; ++j) {
    if (!is_changed(digit[j])) continue;
    const bool choice = (events()[table[j].event].flags & kIsChoice) != 0;
    for (std::uint32_t i = 0; i < column_count_; ++i) {
      if (!is_changed(digit[i]) || i == j) continue;
      if (choice ? is_before_control(table[i].event, table[j].event)
                 : is_before_call(table[i].event, new_call(digit, j))) {
        return false;
      }
    }
  }
  return true;
}

// It happens before what is changed, as that will be.
bool RaceRows::becomes_black(const std::uint32_t* digit, std::uint32_t event) const {
  if ((events()[event].flags & kIsBlack) != 0) return true;
  if (!reachability_rules.blacken_past) return false;
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    const std::uint32_t changed = columns()[c].event;
    if (!is_changed(digit[c]) || changed == event) continue;
    if (reachability_rules.control_past ? is_before_control(event, changed) : is_before(event, changed)) return true;
    if ((events()[changed].flags & kIsChoice) == 0 && is_before_call(event, new_call(digit, c))) return true;
  }
  return false;
}

struct RaceRows::Making {
  const std::uint32_t* digit;
  Variant& made;
  LastingName* cut;  // objects whose further events are left out
  std::uint32_t cuts = 0;

  [[nodiscard]] bool is_cut(LastingName object) const {
    for (std::uint32_t i = 0; i < cuts; ++i) {
      if (cut[i] == object) return true;
    }
    return false;
  }
  void add(const SequenceEvent& entry) { made.list[made.count++] = entry; }
};

bool RaceRows::make_variant(std::uint64_t step, Variant& made, LastingName* scratch) const {
  made.count = 0;
  if (2 * count_ + carried_count_ + 1 > kMaxSequence) return false;
  Making making{digits(slot_of(step)), made, scratch};
  for (std::uint32_t i = 0; i < completed_; ++i) put_event(making, i);
  carry_over(making);
  put_calls(making);
  return true;
}

void RaceRows::put_event(Making& making, std::uint32_t i) const {
  const Kept& event = events()[i];
  const std::uint32_t* const digit = making.digit;
  const bool choice = (event.flags & kIsChoice) != 0;
  if ((event.flags & kIsWithdrawn) != 0 || (!choice && making.is_cut(event.object))) return;
  const bool changed = event.digit_at != kGone && is_changed(digit[event.digit_at]);
  const bool after = changed_before(digit, [&](std::uint32_t c) { return c != i && is_before(c, i); });
  SequenceEvent entry;
  entry.object = event.object;
  entry.pad = changed || becomes_black(digit, i) ? kBlackEntry : 0;
  if (changed && !choice) {
    entry.thread = events()[new_call(digit, event.digit_at)].thread;
    entry.number = events()[new_call(digit, event.digit_at)].number;
  } else if (!after || changed) {
    entry.thread = event.thread;
    entry.number = event.number;
  } else {
    const bool white = (event.flags & (kIsOld | kIsBlack | kIsChoice)) == kIsOld;
    const auto controls = [&](std::uint32_t c) { return c != i && is_before_control(c, i); };
    if (!reachability_rules.recollection || !white || changed_before(digit, controls)) {
      if (!choice) making.cut[making.cuts++] = event.object;
      return;
    }
    entry.match = SequenceMatch::kAnyNew;
  }
  if (choice) {
    entry.match = SequenceMatch::kOld;
    entry.woken = 1 + (changed ? new_call(digit, event.digit_at) : event.taken);
  }
  making.add(entry);
}

void RaceRows::carry_over(Making& making) const {
  for (std::uint32_t k = 0; k < carried_count_; ++k) {
    const SequenceEvent& entry = carried()[k];
    if (making.is_cut(entry.object)) continue;
    const bool touched = changed_before(making.digit, [&](std::uint32_t c) { return is_before_carried(c, k); });
    if (!touched) making.add(entry);
  }
}

// Of each thread, the calls that no change comes before.
void RaceRows::put_calls(Making& making) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if ((events()[i].flags & kIsChoice) != 0 || events()[i].number != 1) continue;
    SequenceEvent entry;
    entry.match = SequenceMatch::kOld;
    entry.thread = events()[i].thread;
    const auto is_next = [&](std::uint32_t j) {
      return (events()[j].flags & kIsChoice) == 0 && events()[j].thread == entry.thread &&
             events()[j].number == entry.number + 1;
    };
    for (std::uint32_t j = i; j < count_; ++j) {
      if (!is_next(j)) continue;
      if (changed_before(making.digit, [&](std::uint32_t c) { return is_before_call(c, j); })) break;
      entry.number = events()[j].number;
      // Messages that a select did not take stand behind all others.
      if (events()[i].kind == OpKind::kSelect) j = kGone;
    }
    if (entry.number != 0) making.add(entry);
  }
}

void RaceRows::describe(const SequenceEvent& entry, Divergence& out) const {
  const bool choice = Variant::is_choice(entry);
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Kept& event = events()[i];
    if (event.thread != entry.thread || event.number != entry.number) continue;
    if (((event.flags & kIsChoice) != 0) != choice) continue;
    out.kind = event.kind;
    out.location = event.location;
    return;
  }
}

void RaceRows::measure(std::uint64_t step, double& before, double& part) const {
  const std::uint32_t* const digit = digits(slot_of(step));
  before = 0;
  part = 1;
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    if (digit[c] == kGone) continue;
    part /= columns()[c].size + 1;
    before += part * digit[c];
  }
}

}  // namespace ravel
