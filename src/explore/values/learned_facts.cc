// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/learned_facts.h"

#include <atomic>
#include <cstring>

#include "base/hash.h"
#include "semantics/entries.h"
#include "semantics/pending_form.h"

namespace ravel::values {

namespace {
// Operations that are distinguished by their object.
bool has_cells(OpKind kind) {
  const OpFamily family = family_of(kind);
  return is_memory_access(kind) || family == OpFamily::kMutex || family == OpFamily::kCond;
}

constexpr std::uint32_t kMostRelated = 1000;  // different earlier steps that one step is compared with

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}
}  // namespace

LearnedFacts::LearnedFacts(std::pmr::memory_resource& memory)
    : pairs_(memory),
      follows_(memory),
      fails_(memory, AccessClasses::kMost),
      cells_(memory, kCellSlots),
      again_(memory, kCellSlots),
      now_(memory, kCellSlots),
      least_(memory, AccessClasses::kMost),
      behind_(memory, AccessClasses::kMost),
      stand_ins_(memory, AccessClasses::kMost),
      held_(room<Held>(memory, kMaxColumns)),
      held_at_(room<Held>(memory, Steps::kMaxSteps)),
      alike_(memory),
      known_(room<std::uint32_t>(memory, kMaxColumns * kMaxColumns)),
      seen_(room<ClassId>(memory, AccessClasses::kMost)) {}

// Whether it is new. A process that is killed in between may have restarted the search without need, and adds again
// what is in one direction only.
bool LearnedFacts::add_pair(ClassId a, ClassId b) {
  if (pairs_.has(a, b) && pairs_.has(b, a)) return false;
  const bool expected = (is_new(a) && is_new(b)) || was_planned(a, b) || was_planned(b, a);
  if (!expected) ++version_;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  pairs_.add(a, b);
  pairs_.add(b, a);
  ++pair_count_;
  return true;
}

// Words of memory that an operation is about, and which bytes of them; of a wait also its lock.
template <class Visit>
void LearnedFacts::visit_cells(const OperationView& op, Visit&& visit) {
  if (is_memory_access(op.kind)) {
    const std::uint64_t last = op.place + (op.size > 1 ? op.size - 1 : 0);
    for (std::uint64_t cell = op.place >> 3; cell <= last >> 3; ++cell) {
      const std::uint64_t from = cell == op.place >> 3 ? op.place & 7 : 0;
      const std::uint64_t to = cell == last >> 3 ? last & 7 : 7;
      visit(cell, (kAllBytes << from) & (kAllBytes >> (7 - to)));
    }
  } else {
    visit(op.place >> 3, kAllBytes);
  }
  if (entered_place(op) != op.place && (enters(op.kind) || leaves(op.kind))) visit(entered_place(op) >> 3, kAllBytes);
}

std::uint64_t LearnedFacts::key_of(ClassId access, std::uint64_t cell) {
  return hash_combine(cell, access + 1) & ~kAllBytes;
}

std::uint32_t LearnedFacts::slot_of(ClassId access, std::uint64_t cell) const {
  const std::uint64_t key = key_of(access, cell);
  auto at = static_cast<std::uint32_t>(mix64(key) % kCellSlots);
  while (cells_[at] != 0 && (cells_[at] & ~kAllBytes) != key) at = (at + 1) % kCellSlots;
  return at;
}

void LearnedFacts::note_cell(ClassId access, std::uint64_t cell, std::uint64_t bytes) {
  if (any_place_) return;
  const std::uint32_t at = slot_of(access, cell);
  const std::uint64_t fresh = bytes & ~cells_[at];
  if (cells_[at] != 0) note_again(access, cell, bytes, at);
  if (fresh == 0) return;
  if (cells_[at] == 0 && ++cell_count_ > kCellSlots / 2) {
    any_place_ = true;
    ++version_;
    return;
  }
  if (cells_[at] == 0) now_.at(at) = learned_ << 8 | bytes;
  cells_.at(at) |= key_of(access, cell) | fresh;
  new_places_ = new_places_ || is_met(access, cell, fresh);
}

// The word is known: was it met in this execution before?
void LearnedFacts::note_again(ClassId access, std::uint64_t cell, std::uint64_t bytes, std::uint32_t slot) {
  const std::uint64_t before = now_[slot] >> 8 == learned_ ? now_[slot] & kAllBytes : 0;
  now_.at(slot) = learned_ << 8 | before | bytes;
  const std::uint64_t fresh = before & bytes & ~std::uint64_t{again_[slot]};
  if (fresh == 0) return;
  again_.at(slot) |= static_cast<std::uint8_t>(fresh);
  new_places_ = new_places_ || is_met(access, cell, fresh);
}

bool LearnedFacts::is_met(ClassId access, std::uint64_t cell, std::uint64_t bytes) const {
  bool met = false;
  if (is_new(access)) return false;
  pairs_.visit(access, AccessClasses::kMost,
               [&](ClassId partner) { met = met || (cells_[slot_of(partner, cell)] & bytes) != 0; });
  return met;
}

void LearnedFacts::note_places(ClassId access, const OperationView& op) {
  if (!has_cells(op.kind)) return;
  const std::uint32_t size = !is_memory_access(op.kind) || op.size > 8 ? 8 : op.size < 1 ? 1 : op.size;
  if (least_[access] == 0 || least_[access] > size) least_.at(access) = static_cast<std::uint8_t>(size);
  visit_cells(op, [&](std::uint64_t cell, std::uint64_t bytes) { note_cell(access, cell, bytes); });
}

bool LearnedFacts::meets(ClassId target, OpKind kind, const Step& trigger) const {
  const OperationView& op = trigger.act.op;
  if (any_place_ || !has_cells(op.kind) || !has_cells(kind)) return true;
  if (op.place >> 32 < kMaxObjects) return true;  // an object without a lasting name, numbered again in each execution
  bool found = false;
  visit_cells(op, [&](std::uint64_t cell, std::uint64_t bytes) {
    found = found || (cells_[slot_of(target, cell)] & bytes) != 0;
  });
  return found;
}

bool LearnedFacts::comes_again(ClassId access, OpKind kind, const Step& trigger) const {
  const OperationView& op = trigger.act.op;
  if (!follows_.has(access, access)) return false;
  if (any_place_ || !has_cells(op.kind) || !has_cells(kind) || op.place >> 32 < kMaxObjects) return true;
  bool again = false;
  int parts = 0;  // bytes of the trigger that operations of the class were about, one or several
  visit_cells(op, [&](std::uint64_t cell, std::uint64_t bytes) {
    const std::uint32_t slot = slot_of(access, cell);
    again = again || (again_[slot] & bytes) != 0;
    parts += __builtin_popcountll(cells_[slot] & bytes);
  });
  return again || parts > least_[access];
}

void LearnedFacts::track(const Step& step) {
  const std::uint32_t column = step.column;
  if (column >= kMaxColumns) return;
  const OperationView& op = step.act.op;
  Held& held = held_[column];
  const bool exclusive = family_of(op.kind) == OpFamily::kMutex || family_of(op.kind) == OpFamily::kCond;
  if (exclusive && has_entered(op)) {
    if (held.count == kMaxHeld) return;
    held.places[held.count++] = entered_place(op);
  } else if (exclusive && leaves(op.kind)) {
    for (std::uint8_t i = held.count; i-- > 0;) {
      if (held.places[i] != entered_place(op)) continue;
      held.places[i] = held.places[--held.count];
      break;
    }
  }
}

// Earlier and later step of two threads: could they never have been the other way round?
bool LearnedFacts::kept_apart(const Step& earlier, std::uint32_t earlier_step, const Step& later) const {
  if (earlier.column >= kMaxColumns || later.column >= kMaxColumns) return false;
  if (known_[later.column * kMaxColumns + earlier.column] >= earlier.position) return true;
  const Held& a = held_at_[earlier_step];
  const Held& b = held_[later.column];
  for (std::uint8_t i = 0; i < a.count; ++i) {
    for (std::uint8_t j = 0; j < b.count; ++j) {
      if (a.places[i] == b.places[j]) return true;
    }
  }
  return false;
}

void LearnedFacts::learn_conflicts(const ExecutionView& view, const Step& step, ClassId access, std::uint32_t bound) {
  if (family_of(step.act.op.kind) == OpFamily::kNone && !step.act.ends) return;
  std::uint32_t compared = 0;
  alike_.visit(step, [&](const AlikeSteps::Group& group) {
    if (++compared > kMostRelated) {
      left_out_ = true;
      return false;
    }
    if (group.column != step.column && !pairs_.has(group.access, access)) {
      learn_conflict(view, group.latest, step, access, bound);
    }
    return true;
  });
}

// Whoever conflicts with one of them conflicts with the other, and is kept apart from the later one by locks, or by
// the life of threads, only if from both.
bool LearnedFacts::are_alike(const Steps& steps, std::uint32_t earlier, std::uint32_t later) const {
  const Act& a = steps[earlier].act;
  const Act& b = steps[later].act;
  const bool same_value = is_memory_access(b.op.kind) || a.op.value == b.op.value;
  if (a.op.place != b.op.place || a.op.size != b.op.size || a.op.bits != b.op.bits || !same_value) return false;
  if (a.ends != b.ends || a.object != b.object) return false;
  if (steps[later].column >= kMaxColumns) return true;
  const Held& before = held_at_[earlier];
  const Held& now = held_at_[later];
  return before.count == now.count && std::memcmp(before.places, now.places, sizeof(before.places[0]) * now.count) == 0;
}

// With an earlier step of another thread.
void LearnedFacts::learn_conflict(const ExecutionView& view, std::uint32_t earlier, const Step& step, ClassId access,
                                  std::uint32_t bound) {
  const Steps& steps = view.steps();
  const Step& other = steps[earlier];
  if (kept_apart(other, earlier, step) || !steps.conflicts(other.act, step.act)) return;
  // Who ended the program took every turn away; what matters is who had a turn left.
  const bool pending = bound == steps.count();
  if ((other.act.ends || step.act.ends) && !pending && !may_depend(other.act.op, step.act.op)) return;
  const bool releases = (leaves(other.act.op.kind) && other.act.op.kind != OpKind::kCondWait) ||
                        (leaves(step.act.op.kind) && step.act.op.kind != OpKind::kCondWait);
  if (add_pair(view.class_of(earlier), access) && releases) ++release_pairs_;
}

void LearnedFacts::learn_what_follows(ClassId access, ClassId later) {
  if (follows_.has(access, later)) return;
  if (!is_new(access) && !is_new(later)) ++version_;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a killed process may have counted it, and learns it then
  follows_.add(access, later);
}

void LearnedFacts::learn_order(const ExecutionView& view) {
  const Steps& steps = view.steps();
  for (std::uint32_t c = 0; c < steps.columns(); ++c) {
    std::uint32_t seen = 0;
    const ExecutionView::Position end = view.position(steps.name_of_column(c), steps.count());
    if (end.step != nullptr) seen_[seen++] = end.access;
    // Backwards: everything that was seen so far comes behind this one.
    for (std::uint32_t i = view.last_of(c); i != kNoStep; i = steps[i].previous) {
      const ClassId access = view.class_of(i);
      // The same comes behind it as behind a later operation of the class.
      const std::uint64_t behind = (learned_ * ThreadNames::kMost + c) * (AccessClasses::kMost + 1) + seen;
      if (behind_[access] == behind) continue;
      behind_.at(access) = behind;
      bool fresh = true;
      for (std::uint32_t k = 0; k < seen; ++k) {
        learn_what_follows(access, seen_[k]);
        fresh = fresh && seen_[k] != access;
      }
      if (fresh && seen < AccessClasses::kMost) seen_[seen++] = access;
    }
  }
}

// What happens before by the life of threads alone.
void LearnedFacts::order_lives(const ExecutionView& view, const Step& step) {
  const OperationView& op = step.act.op;
  const bool creates = op.kind == OpKind::kThreadCreate;
  if (!creates && (op.kind != OpKind::kThreadJoin || (op.bits & kFailed) != 0)) return;
  const std::uint32_t other = view.column_of(static_cast<std::uint32_t>(op.value));
  if (other >= kMaxColumns || step.column >= kMaxColumns) return;
  const std::uint32_t from = creates ? step.column : other;
  const std::uint32_t to = creates ? other : step.column;
  for (std::uint32_t c = 0; c < columns_; ++c) {
    std::uint32_t& mine = known_[to * kMaxColumns + c];
    const std::uint32_t theirs = known_[from * kMaxColumns + c];
    if (theirs > mine) mine = theirs;
  }
  known_[to * kMaxColumns + from] = creates ? step.position : 0xffffffffu;
}

void LearnedFacts::learn(const ExecutionView& view, std::uint32_t from, std::uint32_t classes) {
  const Steps& steps = view.steps();
  new_places_ = false;
  ++learned_;
  alike_.begin();
  columns_ = steps.columns() < kMaxColumns ? steps.columns() : kMaxColumns;
  for (std::uint32_t c = 0; c < columns_; ++c) {
    held_[c] = {};
    std::memset(known_ + std::size_t{c} * kMaxColumns, 0, sizeof(std::uint32_t) * columns_);
  }
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    const Step& step = steps[i];
    order_lives(view, step);
    if (step.column < kMaxColumns) held_at_[i] = held_[step.column];
    if (i >= from) learn_conflicts(view, step, view.class_of(i), i);
    const auto is_alike = [&](std::uint32_t earlier) { return are_alike(steps, earlier, i); };
    left_out_ = !alike_.enter(step, i, view.class_of(i), is_alike) || left_out_;
    note_places(view.class_of(i), step.act.op);
    const bool fails = leaves(step.act.op.kind) && (step.act.op.bits & kFailed) != 0;
    if (fails && !fails_[view.class_of(i)]) {
      fails_.at(view.class_of(i)) = true;
      if (!is_new(view.class_of(i))) ++version_;
    }
    track(step);
  }
  for (std::uint32_t i = 0; i < steps.pending().size(); ++i) {
    learn_conflicts(view, steps.pending()[i], view.class_of_pending(i), steps.count());
    note_places(view.class_of_pending(i), steps.pending()[i].act.op);
  }
  learn_order(view);
  if (new_places_ && !any_place_) {
    ++version_;
    any_place_ = ++late_ > kMostLate;
  }
  known_classes_ = classes;
}

}  // namespace ravel::values
