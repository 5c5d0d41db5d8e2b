// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// After the budget: Steensgaard's analysis over the same constraints.
#include <set>

#include "statics/llvm/points_to.h"

namespace ravel {

void PointsTo::unify_everything() {
  coarse_ = true;
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (NodeId node = 0; node < cells_.size(); ++node) {
    for (const NodeId other : next_[node]) edges.emplace_back(node, other);
    next_[node] = sent_[node] = applied_[node] = CellSet{};
  }
  for (MemoryId id = 0; id < objects_.count(); ++id) {
    make_array(id, 0, 1);
    const auto& cells = objects_.object(id).cells;  // tables of virtual functions and single bytes are no arrays
    for (const auto& [at, held] : cells) unify(cells.begin()->second, held);
  }
  for (const auto& [from, to] : edges) unify(from, to);
  for (char& unapplied : unapplied_) unapplied = 1;
}

// What a pointer points to is one class: a load or a store joins it, an offset stays in it. For targets to come one of
// these is kept, and offsets that have moved nothing yet.
void PointsTo::apply_coarsely(NodeId node) {
  if (targets_[node].empty()) return;
  const CellSet all = targets_[node];
  std::deque<Constraint> list = std::move(constraints_[node]);
  constraints_[node].clear();
  bool moves = false;
  for (const CellId target : all) moves |= objects_.object(object_of(target)).kind != MemoryKind::kFunction;
  const CellId first = *all.begin();
  bool joined = false;
  std::vector<Constraint> kept;
  for (Constraint& constraint : list) {
    if (constraint.kind == Kind::kWatch || (constraint.kind == Kind::kOffset && !moves)) {
      kept.push_back(std::move(constraint));
    } else if (constraint.kind == Kind::kOffset) {
      unify(node, constraint.other);
    } else {
      unify(first, constraint.other);
      if (!joined) kept.push_back(std::move(constraint));
      joined = true;
    }
  }
  if (joined) {
    for (const CellId target : all) unify(first, target);
  }
  for (Constraint& constraint : kept) constraints_[root(node)].push_back(std::move(constraint));
}

// All that is copied from and to holds the same, whichever part of an object it is.
void PointsTo::unify_copied(MemoryCopy& copy) {
  const std::size_t known = targets_[root(copy.from)].count() + targets_[root(copy.to)].count();
  if (known == copy.unified) return;
  CellId first = kNoCell;
  std::set<MemoryId> joined;
  const auto join = [&](CellId of) {
    if (first == kNoCell) first = of;
    unify(first, of);
    if (!joined.insert(object_of(of)).second) return;
    for (const auto& [at, held] : objects_.object(object_of(of)).cells) unify(first, held);
  };
  const CellSet to = targets(copy.to);
  for (const CellId target : to) {
    if (!objects_.object(object_of(target)).constant) join(target);
  }
  if (first == kNoCell) return;
  copy.unified = known;
  const CellSet from = targets(copy.from);
  for (const CellId source : from) {
    if (objects_.object(object_of(source)).kind != MemoryKind::kFunction) join(source);
  }
}

}  // namespace ravel
