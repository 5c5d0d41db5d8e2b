// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/points_to.h"

#include <algorithm>

namespace ravel {

NodeId PointsTo::new_node() {
  const auto id = static_cast<NodeId>(cells_.size());
  cells_.push_back({});
  parent_.push_back(id);
  targets_.emplace_back();
  sent_.emplace_back();
  next_.emplace_back();
  constraints_.emplace_back();
  return id;
}

NodeId PointsTo::root(NodeId node) const {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

ObjectId PointsTo::new_object(MemoryObject object) {
  const ObjectId id = objects_.add(std::move(object));
  if (coarse_) make_array(id, 0, 1);
  return id;
}

CellId PointsTo::cell(ObjectId object, std::int64_t offset) {
  const std::int64_t normal = objects_.normal_offset(object, offset);
  if (normal < 0) return kNoCell;
  const CellId known = objects_.find_cell(object, normal);
  if (known != kNoCell) return known;
  const NodeId id = new_node();
  cells_[id] = {object, normal, id};
  objects_.set_cell(object, normal, id);
  if (coarse_) unify(objects_.object(object).cells.begin()->second, id);
  return id;
}

CellId PointsTo::canonical(CellId cell) const {
  while (cells_[cell].canonical != cell) cell = cells_[cell].canonical;
  return cell;
}

void PointsTo::make_array(ObjectId object, std::int64_t offset, std::int64_t stride) {
  for (const auto& [kept, merged] : objects_.make_array(object, offset, stride)) {
    cells_[canonical(merged)].canonical = canonical(kept);
    unify(kept, merged);
    changed_ = arrays_grew_ = true;
  }
}

bool PointsTo::add_targets(NodeId node, const CellSet& set) {
  const bool grown = targets_[root(node)] |= set;
  changed_ |= grown;
  return grown;
}

void PointsTo::point(NodeId node, CellId target) {
  if (target == kNoCell) return;
  CellSet one;
  one.set(target);
  add_targets(node, one);
}

void PointsTo::add_edge(NodeId from, NodeId to) {
  from = root(from);
  to = root(to);
  if (from == to) return;
  if (coarse_) return unify(from, to);
  if (next_[from].test_and_set(to)) {
    changed_ = true;
    add_targets(to, targets_[from]);
  }
}

void PointsTo::copy(NodeId from, NodeId to) {
  add_edge(from, to);
}

void PointsTo::unify(NodeId a, NodeId b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  if (next_[a].count() < next_[b].count()) std::swap(a, b);
  parent_[b] = a;
  targets_[a] |= targets_[b];
  next_[a] |= next_[b];
  // What one of them has sent, the other's receivers may not have.
  sent_[a] &= sent_[b];
  for (Constraint& constraint : constraints_[b]) constraints_[a].push_back(std::move(constraint));
  constraints_[b].clear();
  targets_[b].clear();
  sent_[b].clear();
  next_[b].clear();
  changed_ = true;
}

void PointsTo::add_constraint(NodeId node, Constraint constraint) {
  constraints_[root(node)].push_back(std::move(constraint));
  changed_ = true;
}

void PointsTo::load(NodeId pointer, NodeId to) {
  add_constraint(pointer, {Kind::kLoad, to, 0, 0, 0, {}});
}

void PointsTo::store(NodeId from, NodeId pointer) {
  add_constraint(pointer, {Kind::kStore, from, 0, 0, 0, {}});
}

void PointsTo::offset(NodeId from, NodeId to, std::int64_t offset, std::int64_t stride) {
  if (offset == 0 && stride == 0) return copy(from, to);
  add_constraint(from, {Kind::kOffset, to, offset, stride, 0, {}});
}

void PointsTo::copy_memory(NodeId from, NodeId to, std::int64_t bytes) {
  copies_.push_back({from, to, bytes, {}, {}});
  changed_ = true;
}

void PointsTo::watch(NodeId node, Watcher watcher) {
  watchers_.push_back(std::move(watcher));
  add_constraint(node, {Kind::kWatch, 0, 0, 0, static_cast<unsigned>(watchers_.size() - 1), {}});
}

CellSet PointsTo::targets(NodeId node) const {
  CellSet set;
  for (const CellId cell : targets_[root(node)]) set.set(canonical(cell));
  return set;
}

// Tarjan's algorithm without recursion; roots of components in topological order.
void PointsTo::merge_cycles_and_order(std::vector<NodeId>& order) {
  struct Frame {
    NodeId node;
    std::vector<NodeId> next;
    std::size_t position;
  };
  const std::size_t count = cells_.size();
  std::vector<unsigned> number(count, 0);
  std::vector<unsigned> low(count, 0);
  std::vector<char> on_stack(count, 0);
  std::vector<NodeId> stack;
  std::vector<std::vector<NodeId>> components;
  std::vector<Frame> frames;
  unsigned counter = 0;
  const auto enter = [&](NodeId node) {
    number[node] = low[node] = ++counter;
    on_stack[node] = 1;
    stack.push_back(node);
    Frame frame{node, {}, 0};
    for (const NodeId other : next_[node]) frame.next.push_back(root(other));
    frames.push_back(std::move(frame));
  };
  for (NodeId start = 0; start < count; ++start) {
    if (root(start) != start || number[start] != 0 || (next_[start].empty() && targets_[start].empty())) continue;
    enter(start);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.position < frame.next.size()) {
        const NodeId other = frame.next[frame.position++];
        if (number[other] == 0) {
          enter(other);
        } else if (on_stack[other] != 0) {
          low[frame.node] = std::min(low[frame.node], number[other]);
        }
        continue;
      }
      const NodeId node = frame.node;
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != number[node]) continue;
      std::vector<NodeId> component;
      for (;;) {
        component.push_back(stack.back());
        on_stack[stack.back()] = 0;
        stack.pop_back();
        if (component.back() == node) break;
      }
      components.push_back(std::move(component));
    }
  }
  std::reverse(components.begin(), components.end());
  for (const std::vector<NodeId>& component : components) {
    for (const NodeId node : component) unify(component[0], node);
    order.push_back(root(component[0]));
  }
}

bool PointsTo::propagate(const std::vector<NodeId>& order) {
  bool grown = false;
  for (const NodeId node : order) {
    CellSet fresh = targets_[node];
    fresh.intersectWithComplement(sent_[node]);
    if (fresh.empty()) continue;
    sent_[node] |= fresh;
    for (const NodeId other : next_[node]) {
      if (root(other) != node) grown |= add_targets(other, fresh);
    }
  }
  return grown;
}

void PointsTo::apply(Constraint& constraint, CellId target) {
  switch (constraint.kind) {
    case Kind::kLoad:
      add_edge(target, constraint.other);
      break;
    case Kind::kStore:
      add_edge(constraint.other, target);
      break;
    case Kind::kOffset: {
      const ObjectId object = object_of(target);
      if (objects_.object(object).kind == ObjectKind::kFunction) break;
      const std::int64_t at = offset_of(target) + constraint.number;
      if (constraint.stride != 0) make_array(object, std::min(at, offset_of(target)), constraint.stride);
      point(constraint.other, cell(object, at));
      break;
    }
    case Kind::kWatch:
      watchers_[constraint.extra](target);
      break;
    default:
      break;
  }
}

bool PointsTo::apply_constraints() {
  bool any = false;
  for (NodeId node = 0; node < cells_.size(); ++node) {
    if (root(node) != node || constraints_[node].empty()) continue;
    if (node % 256 == 0 && out_of_time()) return changed_ = true;
    for (std::size_t i = 0; i < constraints_[root(node)].size(); ++i) {
      const NodeId holder = root(node);
      CellSet fresh = targets_[holder];
      fresh.intersectWithComplement(constraints_[holder][i].done);
      if (fresh.empty()) continue;
      constraints_[holder][i].done |= fresh;
      any = true;
      Constraint copy = constraints_[holder][i];  // apply may unify, which moves constraints
      if (coarse_ && copy.kind != Kind::kWatch) {
        unify_constraint(holder, copy, fresh);
        continue;
      }
      for (const CellId target : fresh) apply(copy, canonical(target));
    }
  }
  return any;
}

// What a pointer points to is one class then: a load or a store joins it, an offset stays in it.
void PointsTo::unify_constraint(NodeId holder, Constraint& constraint, const CellSet& fresh) {
  const CellId first = *fresh.begin();
  bool moves = false;
  for (const CellId target : fresh) {
    if (constraint.kind != Kind::kOffset) {
      unify(first, target);
    } else if (objects_.object(object_of(target)).kind != ObjectKind::kFunction) {
      moves = true;
    }
  }
  if (constraint.kind != Kind::kOffset) unify(first, constraint.other);
  if (moves) unify(holder, constraint.other);
}

void PointsTo::copy_cells(MemoryCopy& copy, CellId from, CellId to) {
  const ObjectId source = object_of(from);
  const ObjectId target = object_of(to);
  std::vector<std::pair<std::int64_t, CellId>> cells(objects_.object(source).cells.begin(),
                                                     objects_.object(source).cells.end());
  // Elements of an array share their cells: a copy of several elements begins anywhere in one.
  const bool array = objects_.in_array(source, offset_of(from)) || objects_.in_array(target, offset_of(to));
  for (const auto& [at, held] : cells) {
    std::int64_t distance = at - offset_of(from);
    if (distance < 0 && !array) continue;
    if (distance >= copy.bytes) continue;
    const CellId into = cell(target, offset_of(to) + distance);
    if (into == kNoCell || !copy.done.insert({held, into}).second) continue;
    add_edge(held, into);
  }
}

bool PointsTo::apply_memory_copies() {
  const bool before = changed_;
  changed_ = false;
  for (MemoryCopy& copy : copies_) {
    if (out_of_time()) {
      changed_ = true;
      break;
    }
    if (coarse_) {
      unify_copied(copy);
      continue;
    }
    const CellSet from = targets(copy.from);
    const CellSet to = targets(copy.to);
    for (const CellId source : from) {
      if (objects_.object(object_of(source)).kind == ObjectKind::kFunction) continue;
      if (out_of_time()) break;
      for (const CellId target : to) {
        if (objects_.object(object_of(target)).constant || source == target) continue;
        // Nothing has been added to the source since.
        const std::size_t cells = objects_.object(object_of(source)).cells.size();
        std::size_t& copied = copy.copied[{canonical(source), canonical(target)}];
        if (copied == cells && !arrays_grew_) continue;
        copied = cells;
        copy_cells(copy, canonical(source), canonical(target));
      }
    }
  }
  arrays_grew_ = false;
  const bool any = changed_;
  changed_ |= before;
  return any;
}

// All that is copied from and to holds the same, whichever part of an object it is.
void PointsTo::unify_copied(const MemoryCopy& copy) {
  CellId first = kNoCell;
  std::set<ObjectId> joined;
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
  const CellSet from = targets(copy.from);
  for (const CellId source : from) {
    if (objects_.object(object_of(source)).kind != ObjectKind::kFunction) join(source);
  }
}

void PointsTo::unify_everything() {
  coarse_ = true;
  for (ObjectId id = 0; id < objects_.count(); ++id) {
    make_array(id, 0, 1);
    const auto& cells = objects_.object(id).cells;  // tables of virtual functions and single bytes are no arrays
    for (const auto& [at, held] : cells) unify(cells.begin()->second, held);
  }
  for (NodeId node = 0; node < cells_.size(); ++node) {
    const CellSet next = next_[root(node)];
    for (const NodeId other : next) unify(node, other);
  }
}

bool PointsTo::out_of_time() const {
  return !coarse_ && std::chrono::steady_clock::now() > deadline_;
}

void PointsTo::solve(std::chrono::steady_clock::time_point deadline) {
  deadline_ = deadline;
  do {
    changed_ = false;
    if (out_of_time()) unify_everything();
    std::vector<NodeId> order;
    merge_cycles_and_order(order);
    changed_ = false;
    propagate(order);
    apply_constraints();
    apply_memory_copies();
  } while (changed_);
}

}  // namespace ravel
