// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/learned_facts.h"

#include <cstring>

#include "semantics/entries.h"

namespace ravel::values {

namespace {
constexpr std::uint32_t kMostRelated = 1000;  // earlier steps that one step is compared with

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}
}  // namespace

LearnedFacts::LearnedFacts(std::pmr::memory_resource& memory)
    : pairs_(memory),
      follows_(memory),
      fails_(room<bool>(memory, AccessClasses::kMost)),
      held_(room<Held>(memory, kMaxColumns)),
      held_at_(room<Held>(memory, Steps::kMaxSteps)),
      known_(room<std::uint32_t>(memory, kMaxColumns * kMaxColumns)),
      seen_(room<ClassId>(memory, AccessClasses::kMost)) {
  std::memset(fails_, 0, sizeof(bool) * AccessClasses::kMost);
}

void LearnedFacts::add_pair(ClassId a, ClassId b) {
  if (!pairs_.add(a, b)) return;
  pairs_.add(b, a);
  ++pair_count_;
  ++version_;
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
  const Steps& steps = view.steps();
  if (family_of(step.act.op.kind) == OpFamily::kNone && !step.act.ends) return;
  std::uint32_t compared = 0;
  steps.visit_related(step, bound, [&](std::uint32_t j) {
    const Step& other = steps[j];
    if (++compared > kMostRelated) return Steps::Related::kAllOrdered;
    if (other.column == step.column || pairs_.has(view.class_of(j), access)) return Steps::Related::kOpen;
    if (!steps.conflicts(other.act, step.act) || kept_apart(other, j, step)) return Steps::Related::kOpen;
    add_pair(view.class_of(j), access);
    return Steps::Related::kOpen;
  });
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
      bool fresh = true;
      for (std::uint32_t k = 0; k < seen; ++k) {
        if (follows_.add(access, seen_[k])) ++version_;
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
  for (std::uint32_t c = 0; c < kMaxColumns; ++c) {
    std::uint32_t& mine = known_[to * kMaxColumns + c];
    const std::uint32_t theirs = known_[from * kMaxColumns + c];
    if (theirs > mine) mine = theirs;
  }
  known_[to * kMaxColumns + from] = creates ? step.position : 0xffffffffu;
}

void LearnedFacts::learn(const ExecutionView& view) {
  const Steps& steps = view.steps();
  for (std::uint32_t c = 0; c < kMaxColumns; ++c) held_[c] = {};
  std::memset(known_, 0, sizeof(std::uint32_t) * kMaxColumns * kMaxColumns);
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    const Step& step = steps[i];
    order_lives(view, step);
    if (step.column < kMaxColumns) held_at_[i] = held_[step.column];
    learn_conflicts(view, step, view.class_of(i), i);
    bool& fails = fails_[view.class_of(i)];
    if (!fails && leaves(step.act.op.kind) && (step.act.op.bits & kFailed) != 0) {
      fails = true;
      ++version_;
    }
    track(step);
  }
  for (std::uint32_t i = 0; i < steps.pending().size(); ++i) {
    learn_conflicts(view, steps.pending()[i], view.class_of_pending(i), steps.count());
  }
  learn_order(view);
}

}  // namespace ravel::values
