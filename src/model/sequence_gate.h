// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SequenceGate: which operations a sequence holds back. Asked with what a thread is about to do, told what was done.
// The rule is the same for the runtime, for the prediction of searches and for the toy machine of the tests.
//
// In a total order an event may come when all before it have; by object, when those of its object have. Behind the
// list everything is admitted if it is open, nothing if not. An operation that came although it was not its turn, or
// ended otherwise than the sequence says, is a misfit: from then on nothing is admitted.
#pragma once

#include <cstdint>

#include "model/sequence.h"

namespace ravel {

class SequenceGate {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Operation {
    LastingName thread = 0;
    LastingName object = 0;
    OpKind kind = OpKind::kNone;
  };

  // The list stays the caller's.
  void begin(const SequenceEvent* list, const SequenceRules& rules) {
    list_ = list;
    rules_ = rules;
    if (rules_.count > kMaxSequence) rules_.count = kMaxSequence;
    for (std::uint32_t i = 0; i < used_; ++i) rows_[used_rows_[i]] = {};
    used_ = 0;
    next_event_ = first_event(0);
    left_ = 0;
    misfit_ = kNone;
    stray_ = false;
    for (std::uint32_t i = rules_.count; i-- > 0;) enter(i);
    events_ = left_;
  }
  [[nodiscard]] bool is_on() const { return rules_.count != 0; }

  // Part of the sequence at all?
  [[nodiscard]] bool concerns(OpKind kind, LastingName object) const {
    if (is_label(kind)) return find(object) != nullptr;
    if (is_atomic_access(kind)) return lists_atomic(object);
    return is_sequence_event(kind) && (rules_.listed == 0 || find(object) != nullptr);
  }
  [[nodiscard]] bool admits(const Operation& op) const {
    if (!concerns(op.kind, op.object)) return true;
    if (is_over()) return false;
    const std::uint32_t entry = entry_for(op.object);
    return entry == kNone ? rules_.open != 0 : fits(list_[entry], op);
  }
  // `woken`: of a signal, kNobody if it was lost.
  void passed(const Operation& op, bool failed, LastingName woken) {
    if (!concerns(op.kind, op.object) || is_over()) return;
    const std::uint32_t entry = entry_for(op.object);
    const bool fitted = entry == kNone ? rules_.open != 0 : fits(list_[entry], op);
    if (!fitted) {
      stray_ = true;
      return;
    }
    if (Row* const row = insert(op.thread ^ kThreadSalt)) ++row->count;
    if (entry == kNone) return;
    const SequenceEvent& event = list_[entry];
    const bool ends = (event.ending == SequenceEnding::kAny || (event.ending == SequenceEnding::kFails) == failed) &&
                      (event.woken == 0 || event.woken == woken);
    if (!ends) {
      misfit_ = entry;
      return;
    }
    --left_;
    if (rules_.order == SequenceOrder::kObject) find(op.object)->first = next_[entry];
    done_[entry] = true;
    while (next_event_ < rules_.count && done_[next_event_]) next_event_ = first_event(next_event_ + 1);
  }

  // Instead of passed(): the call ended by time-out. False: the list has such calls as events.
  bool withdrew(const Operation& op) {
    if (rules_.calls == 0) return false;
    if (!concerns(op.kind, op.object) || is_over()) return true;
    if (Row* const row = insert(op.thread ^ kThreadSalt)) ++row->count;
    return true;
  }
  // A message was received without a select: the queue counts it, as a thread a call.
  void received(LastingName queue) {
    if (rules_.calls == 0 || is_over()) return;
    if (Row* const row = insert(queue ^ kThreadSalt)) ++row->count;
  }
  // Calls whose time is over are not held back.
  [[nodiscard]] bool lets_go() const { return rules_.calls != 0; }

  // The next choice of the thread. False: the list does not say.
  bool choose(LastingName thread, std::uint32_t n, std::uint32_t& alternative) {
    Row* const choices = insert(thread ^ kChoiceSalt);
    if (choices == nullptr) return false;
    const Row* const planned = find(hash_combine(thread ^ kChoiceSalt, ++choices->count));
    if (planned == nullptr || planned->old > n) return false;
    alternative = planned->old - 1;
    return true;
  }

  // Events of the list that have come, and that have not; the first of these, kNone: all have.
  [[nodiscard]] std::uint32_t done() const { return events_ - left_; }
  [[nodiscard]] std::uint32_t left() const { return left_; }
  [[nodiscard]] std::uint32_t first_left() const {
    if (misfit_ != kNone) return misfit_;
    return next_event_ < rules_.count ? next_event_ : kNone;
  }
  // Nothing will be admitted any more.
  [[nodiscard]] bool is_over() const { return stray_ || misfit_ != kNone; }

  // Accesses may be part of the sequence.
  [[nodiscard]] bool has_atomics() const { return rules_.atomics != 0; }

 private:
  struct Row {
    LastingName name = 0;     // 0: free
    std::uint32_t first = 0;  // of an object: its next event in the list; insert() says kNone
    std::uint32_t count = 0;  // of a thread: its events so far
    std::uint32_t old = 0;
    std::uint32_t atomic = 0;  // 1: the object is one, and listed
  };
  static constexpr std::uint32_t kSlots = 4 * kMaxSequence;
  static constexpr LastingName kThreadSalt = 0x5bd1e9955bd1e994ull;
  static constexpr LastingName kChoiceSalt = 0x27d4eb2f165667c4ull;

  [[nodiscard]] std::uint32_t first_event(std::uint32_t from) const {
    while (from < rules_.count && !is_event(list_[from])) ++from;
    return from;
  }
  static bool is_event(const SequenceEvent& event) {
    return event.match == SequenceMatch::kExact || event.match == SequenceMatch::kAnyNew;
  }

  // From the last to the first, so that each becomes the first of its object.
  void enter(std::uint32_t i) {
    const SequenceEvent& event = list_[i];
    done_[i] = false;
    next_[i] = kNone;
    if (event.match == SequenceMatch::kOld && event.woken != 0) {  // a choice, and the alternative plus one
      Row* const row = insert(hash_combine(event.thread ^ kChoiceSalt, event.number));
      if (row != nullptr) row->old = static_cast<std::uint32_t>(event.woken);
      return;
    }
    if (event.match == SequenceMatch::kOld) {
      if (Row* const row = insert(event.thread ^ kThreadSalt)) row->old = event.number;
      return;
    }
    if (is_event(event)) ++left_;
    if (event.object == 0) return;
    Row* const row = insert(event.object);
    if (row != nullptr && event.match == SequenceMatch::kAtomic) row->atomic = 1;
    if (row == nullptr || !is_event(event)) return;
    next_[i] = row->first;
    row->first = i;
  }

  [[nodiscard]] bool lists_atomic(LastingName object) const {
    const Row* const row = has_atomics() ? find(object) : nullptr;
    return row != nullptr && row->atomic != 0;
  }
  [[nodiscard]] std::uint32_t entry_for(LastingName object) const {
    if (rules_.order == SequenceOrder::kTotal) return next_event_ < rules_.count ? next_event_ : kNone;
    const Row* const row = find(object);
    return row == nullptr ? kNone : row->first;
  }
  [[nodiscard]] bool fits(const SequenceEvent& event, const Operation& op) const {
    const Row* const thread = find(op.thread ^ kThreadSalt);
    const std::uint32_t number = (thread == nullptr ? 0 : thread->count) + 1;
    if (event.match == SequenceMatch::kAnyNew) return number > (thread == nullptr ? 0 : thread->old);
    return event.thread == op.thread && (event.kind == OpKind::kNone || event.kind == op.kind) &&
           (event.object == 0 || event.object == op.object) && (event.number == 0 || event.number == number);
  }

  [[nodiscard]] std::uint32_t slot_of(LastingName name) const {
    std::uint32_t at = static_cast<std::uint32_t>(mix64(name)) & (kSlots - 1);
    while (rows_[at].name != 0 && rows_[at].name != name) at = (at + 1) & (kSlots - 1);
    return at;
  }
  [[nodiscard]] const Row* find(LastingName name) const {
    const Row& row = rows_[slot_of(name)];
    return row.name == 0 ? nullptr : &row;
  }
  Row* find(LastingName name) {
    Row& row = rows_[slot_of(name)];
    return row.name == 0 ? nullptr : &row;
  }
  // nullptr: there is no room, which takes more threads than any sequence has.
  Row* insert(LastingName name) {
    Row& row = rows_[slot_of(name)];
    if (row.name != 0) return &row;
    if (used_ == kSlots / 2) return nullptr;
    row.name = name;
    row.first = kNone;
    used_rows_[used_++] = slot_of(name);
    return &row;
  }

  const SequenceEvent* list_ = nullptr;
  SequenceRules rules_;
  std::uint32_t next_event_ = 0;  // the first that has not come
  std::uint32_t events_ = 0;      // of the list
  std::uint32_t left_ = 0;        // of them, to come
  std::uint32_t misfit_ = 0;      // begin() says kNone: all zero, the gate lies in .bss
  bool stray_ = false;
  std::uint32_t used_ = 0;
  std::uint32_t next_[kMaxSequence] = {};
  bool done_[kMaxSequence] = {};
  Row rows_[kSlots] = {};
  std::uint32_t used_rows_[kSlots / 2] = {};
};

}  // namespace ravel
