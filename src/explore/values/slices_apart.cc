// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/slices_apart.h"

namespace ravel::values {

namespace {

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

// Its thread may go on otherwise after it.
bool observes(OpKind kind) {
  return kind != OpKind::kWrite && kind != OpKind::kAtomicStore;
}

}  // namespace

SlicesApart::SlicesApart(std::pmr::memory_resource& memory)
    : parent_(room<ClassId>(memory, AccessClasses::kMost)),
      in_pair_(room<bool>(memory, AccessClasses::kMost)),
      observed_(room<ClassId>(memory, kMaxColumns)) {
  for (ClassId i = 0; i < AccessClasses::kMost; ++i) {
    parent_[i] = i;
    in_pair_[i] = false;
  }
}

ClassId SlicesApart::slice_of(ClassId access) const {
  while (parent_[access] != access) access = parent_[access];
  return access;
}

void SlicesApart::unite(ClassId a, ClassId b) {
  a = slice_of(a);
  b = slice_of(b);
  if (a == b) return;
  parent_[a < b ? b : a] = a < b ? a : b;
  ++version_;
}

ClassId SlicesApart::next_slice(ClassId last, std::uint32_t classes) const {
  for (ClassId i = last == kNoClass ? 0 : last + 1; i < classes; ++i) {
    if (in_pair_[i] && parent_[i] == i) return i;
  }
  return kNoClass;
}

void SlicesApart::pass_on(const ExecutionView& view, const Step& step) {
  const OperationView& op = step.act.op;
  const bool creates = op.kind == OpKind::kThreadCreate;
  if (!creates && op.kind != OpKind::kThreadJoin) return;
  const std::uint32_t other = view.column_of(static_cast<std::uint32_t>(op.value));
  if (other >= kMaxColumns) return;
  const ClassId from = observed_[creates ? step.column : other];
  ClassId& to = observed_[creates ? other : step.column];
  if (from == kNoClass) return;
  if (to != kNoClass) unite(from, to);
  to = from;
}

void SlicesApart::learn(const ExecutionView& view, const LearnedFacts& facts, std::uint32_t classes) {
  for (ClassId access = 0; facts.pairs() != known_pairs_ && access < classes; ++access) {
    facts.visit_partners(access, classes, [&](ClassId partner) {
      in_pair_[access] = in_pair_[partner] = true;
      unite(access, partner);
    });
  }
  known_pairs_ = facts.pairs();
  const Steps& steps = view.steps();
  for (std::uint32_t c = 0; c < kMaxColumns; ++c) observed_[c] = kNoClass;
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    const Step& step = steps[i];
    if (step.column >= kMaxColumns) continue;
    pass_on(view, step);
    const ClassId access = view.class_of(i);
    if (!in_pair_[access]) continue;
    ClassId& observed = observed_[step.column];
    if (observed != kNoClass) unite(observed, access);
    if (observes(step.act.op.kind)) observed = access;
  }
}

}  // namespace ravel::values
