// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/points_to.h"

#include <time.h>

#include <algorithm>
#include <numeric>

#include "statics/llvm/strong_components.h"

namespace ravel {
namespace {

// An object with more cells than this is an array where a pointer walks over it; with more than the second, anywhere.
constexpr std::size_t kManyCells = 24;
constexpr std::size_t kMostCells = 1'000;
constexpr std::int64_t kMostRepeats = 256;  // of an element in what an array is copied to
// An order of nodes serves so many waves, unless an eighth of the edges is new.
constexpr unsigned kMostWaves = 16;

}  // namespace

std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

NodeId PointsTo::new_node() {
  const auto id = static_cast<NodeId>(cells_.size());
  cells_.push_back({});
  parent_.push_back(id);
  targets_.emplace_back();
  sent_.emplace_back();
  applied_.emplace_back();
  next_.emplace_back();
  constraints_.emplace_back();
  unsent_.push_back(0);
  unapplied_.push_back(0);
  order_.push_back(id);
  return id;
}

NodeId PointsTo::root(NodeId node) const {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

MemoryId PointsTo::new_object(MemoryObject object) {
  const MemoryId id = objects_.add(std::move(object));
  if (coarse_) make_array(id, 0, 1);
  return id;
}

CellId PointsTo::cell(MemoryId object, std::int64_t offset) {
  const std::int64_t normal = objects_.normal_offset(object, offset);
  if (normal < 0) return kNoCell;
  const CellId known = objects_.find_cell(object, normal);
  if (known != kNoCell) return known;
  const NodeId id = new_node();
  cells_[id] = {object, normal, id};
  objects_.set_cell(object, normal, id);
  if (objects_.object(object).kind == MemoryKind::kFunction) functions_.set(id);
  if (coarse_) unify(objects_.object(object).cells.begin()->second, id);
  return id;
}

CellId PointsTo::canonical(CellId cell) const {
  while (cells_[cell].canonical != cell) cell = cells_[cell].canonical;
  return cell;
}

void PointsTo::make_array(MemoryId object, std::int64_t offset, std::int64_t stride) {
  for (const auto& [kept, merged] : objects_.make_array(object, offset, stride)) {
    cells_[canonical(merged)].canonical = canonical(kept);
    unify(kept, merged);
    changed_ = true;
  }
}

void PointsTo::mark_changed(NodeId node) {
  unsent_[node] = unapplied_[node] = 1;
  changed_ = true;
}

void PointsTo::add_targets(NodeId node, const CellSet& set) {
  node = root(node);
  if ((targets_[node] |= set)) mark_changed(node);
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
    ++edges_;
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
  // What one of them has sent, the other's receivers may not have; the same with constraints.
  sent_[a] &= sent_[b];
  if (constraints_[a].empty()) {
    applied_[a] = std::move(applied_[b]);
  } else if (!constraints_[b].empty()) {
    applied_[a] &= applied_[b];
  }
  for (Constraint& constraint : constraints_[b]) constraints_[a].push_back(std::move(constraint));
  for (std::deque<CellSet>* sets : {&targets_, &sent_, &applied_, &next_}) (*sets)[b] = CellSet{};
  constraints_[b] = {};
  mark_changed(a);
}

void PointsTo::add_constraint(NodeId node, Constraint constraint) {
  node = root(node);
  constraints_[node].push_back(std::move(constraint));
  mark_changed(node);
}

void PointsTo::load(NodeId pointer, NodeId to) {
  add_constraint(pointer, {Kind::kLoad, to, 0, 0, 0, false, false, {}});
}

void PointsTo::store(NodeId from, NodeId pointer) {
  add_constraint(pointer, {Kind::kStore, from, 0, 0, 0, false, false, {}});
}

void PointsTo::offset(NodeId from, NodeId to, std::int64_t offset, std::int64_t stride) {
  if (offset == 0 && stride == 0) return copy(from, to);
  add_constraint(from, {Kind::kOffset, to, offset, stride, 0, false, false, {}});
}

void PointsTo::copy_memory(NodeId from, NodeId to, std::int64_t bytes) {
  copies_.push_back({from, to, bytes, {}, {}, 0, {}});
  changed_ = true;
}

void PointsTo::watch(NodeId node, Watcher watcher) {
  watchers_.push_back(std::move(watcher));
  add_constraint(node, {Kind::kWatch, 0, 0, 0, static_cast<unsigned>(watchers_.size() - 1), false, false, {}});
}

CellSet PointsTo::targets(NodeId node) const {
  CellSet set;
  for (const CellId cell : targets_[root(node)]) set.set(canonical(cell));
  return set;
}

// Roots of components in topological order.
void PointsTo::merge_cycles_and_order() {
  const auto wanted = [&](NodeId node) { return root(node) == node; };
  const auto neighbours = [&](NodeId node, std::vector<NodeId>& into) {
    for (const NodeId other : next_[node]) into.push_back(root(other));
  };
  const auto components = strong_components(cells_.size(), wanted, neighbours);
  order_.clear();
  for (auto component = components.rbegin(); component != components.rend(); ++component) {
    for (const NodeId node : *component) unify((*component)[0], node);
    order_.push_back(root((*component)[0]));
  }
  ordered_edges_ = edges_;
  waves_ = 0;
}

// An offset whose result comes back to it, `p = p + 1` in a loop, makes a new cell in every round.
void PointsTo::find_walks() {
  const auto wanted = [&](NodeId node) { return root(node) == node; };
  const auto neighbours = [&](NodeId node, std::vector<NodeId>& into) {
    for (const NodeId other : next_[node]) into.push_back(root(other));
    for (const Constraint& constraint : constraints_[node]) {
      if (constraint.kind == Kind::kOffset) into.push_back(root(constraint.other));
    }
  };
  for (const std::vector<NodeId>& component : strong_components(cells_.size(), wanted, neighbours)) {
    const std::set<NodeId> members(component.begin(), component.end());
    for (const NodeId node : component) {
      for (Constraint& constraint : constraints_[node]) {
        constraint.walks |= constraint.kind == Kind::kOffset && members.count(root(constraint.other)) != 0;
      }
    }
  }
}

void PointsTo::send(NodeId node) {
  unsent_[node] = 0;
  CellSet fresh = targets_[node];
  fresh.intersectWithComplement(sent_[node]);
  if (fresh.empty()) return;
  sent_[node] |= fresh;
  for (const NodeId other : next_[node]) {
    if (root(other) != node) add_targets(other, fresh);
  }
}

void PointsTo::propagate() {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const NodeId node = root(order_[i]);
    if (unsent_[node] == 0) continue;
    if (cut_short()) return;
    send(node);
  }
}

void PointsTo::move(const Constraint& constraint, CellId target) {
  const MemoryId object = object_of(target);
  if (objects_.object(object).kind == MemoryKind::kFunction) return;
  // Nobody walks over a table of virtual functions.
  if (objects_.object(object).exact && (constraint.stride != 0 || constraint.walks)) return;
  const std::int64_t at = offset_of(target) + constraint.number;
  std::int64_t stride = constraint.stride;
  const std::size_t cells = objects_.object(object).cells.size();
  if (stride == 0 && constraint.walks && cells > kManyCells) stride = std::abs(constraint.number);
  if (cells > kMostCells) stride = 1;
  if (stride != 0) make_array(object, std::min(at, offset_of(target)), stride);
  point(constraint.other, cell(object, at));
}

void PointsTo::apply(const Constraint& constraint, CellId target) {
  switch (constraint.kind) {
    case Kind::kLoad:
      add_edge(target, constraint.other);
      break;
    case Kind::kStore:
      if (!objects_.object(object_of(target)).constant) add_edge(constraint.other, target);
      break;
    case Kind::kOffset:
      move(constraint, target);
      break;
    case Kind::kWatch:
      watchers_[constraint.extra](target);
      break;
    default:
      break;
  }
}

void PointsTo::apply_constraints() {
  for (NodeId node = 0; node < cells_.size(); ++node) {
    if (root(node) != node || unapplied_[node] == 0) continue;
    if (cut_short()) return;
    unapplied_[node] = 0;
    if (constraints_[node].empty()) continue;
    if (coarse_) {
      apply_coarsely(node);
    } else {
      apply_to_new_targets(node);
    }
    notify_watchers(node);
  }
}

void PointsTo::apply_to_new_targets(NodeId node) {
  const CellSet all = targets_[node];
  CellSet fresh = all;
  fresh.intersectWithComplement(applied_[node]);
  applied_[node] |= fresh;
  for (std::size_t i = 0; i < constraints_[node].size(); ++i) {
    if (constraints_[node][i].kind == Kind::kWatch) continue;
    const CellSet& wanted = constraints_[node][i].applied ? fresh : all;
    constraints_[node][i].applied = true;
    // A copy: arrays may be found, which moves constraints.
    const Constraint constraint = constraints_[node][i];
    for (const CellId target : wanted) apply(constraint, canonical(target));
    if (root(node) == node) continue;
    applied_[root(node)].clear();  // the node is another's now, which has to see all of them again
    return;
  }
}

// A watcher may add nodes and constraints, also to this node, which is then checked again. Most of a node have seen
// all of its functions, which their number tells.
void PointsTo::notify_watchers(NodeId node) {
  const CellSet functions = targets_[root(node)] & functions_;
  if (functions.empty()) return;
  const std::size_t count = functions.count();
  for (std::size_t i = 0; i < constraints_[root(node)].size(); ++i) {
    Constraint& held = constraints_[root(node)][i];
    if (held.kind != Kind::kWatch || held.seen == count) continue;
    CellSet fresh = functions;
    fresh.intersectWithComplement(held.done);
    held.seen = count;
    if (fresh.empty()) continue;
    held.done |= fresh;
    const unsigned watcher = held.extra;
    for (const CellId target : fresh) watchers_[watcher](canonical(target));
  }
}

void PointsTo::copy_in(NodeId held, const Distance& distance, std::int64_t bytes, CellId target) {
  const MemoryId object = object_of(target);
  const std::int64_t offset = offset_of(target);
  // A copy from an object into itself makes new cells of those that it has made.
  if (objects_.object(object).cells.size() > kMostCells) make_array(object, 0, 1);
  const auto size = static_cast<std::int64_t>(objects_.object(object).size);
  const std::int64_t room = size == 0 ? bytes : std::min(bytes, size - offset);
  bool repeats = distance.stride != 0;
  if (repeats && (size == 0 || room - distance.first > kMostRepeats * distance.stride)) {
    const std::int64_t stride = objects_.stride_at(object, offset);
    if (stride == 0 || distance.stride % stride != 0) make_array(object, offset, distance.stride);
    repeats = false;
  }
  CellId last = kNoCell;
  for (const std::int64_t begin : objects_.places_of(object, offset).at) {
    for (std::int64_t at = distance.first; at < bytes && (size == 0 || begin + at < size); at += distance.stride) {
      const CellId into = cell(object, begin + at);
      if (into != kNoCell && into != last) add_edge(held, into);
      last = into;
      if (!repeats) break;
    }
  }
}

NodeId PointsTo::passed(MemoryCopy& copy, const Distance& distance, const std::vector<CellId>& given) {
  const auto known = copy.held.find(distance);
  if (known != copy.held.end()) return known->second;
  const NodeId held = new_node();
  copy.held.emplace(distance, held);
  for (const CellId target : given) copy_in(held, distance, copy.bytes, target);
  return held;
}

// Elements of an array share their cells: pointer and cell may stand for several places each.
void PointsTo::copy_out(MemoryCopy& copy, CellId source, const std::vector<CellId>& given) {
  const MemoryId object = object_of(source);
  const std::vector<std::pair<std::int64_t, CellId>> cells(objects_.object(object).cells.begin(),
                                                           objects_.object(object).cells.end());
  const Places begins = objects_.places_of(object, offset_of(source));
  for (const auto& [at, held] : cells) {
    const Places places = objects_.places_of(object, at);
    std::int64_t stride = std::gcd(begins.stride, places.stride);
    std::set<std::int64_t> distances;
    for (const std::int64_t begin : begins.at) {
      for (const std::int64_t place : places.at) {
        if (place >= begin && place - begin < copy.bytes) distances.insert(place - begin);
        if (stride != 0) stride = std::gcd(stride, std::abs(place - begin - (at - offset_of(source))));
      }
    }
    if (stride != 0) {
      const std::int64_t first = at - offset_of(source);
      distances = {begins.at.size() == 1 && begins.stride == 0 && first >= 0 ? first
                                                                             : (first % stride + stride) % stride};
    }
    for (const std::int64_t distance : distances) {
      if (distance < copy.bytes) add_edge(held, passed(copy, {distance, stride}, given));
    }
  }
}

// To targets that are new, or have become arrays, all that is copied; from sources that have changed, to all targets.
void PointsTo::copy_new(MemoryCopy& copy) {
  const auto changes = [&](std::map<CellId, Shape>& known, CellId cell, std::size_t cells) {
    const Shape now{cells, objects_.object(object_of(cell)).arrays};
    const auto [shape, fresh] = known.try_emplace(cell, now);
    const bool changed = fresh || !(shape->second == now);
    shape->second = now;
    return changed;
  };
  const CellSet from = targets(copy.from);
  std::vector<CellId> given;
  for (const CellId target : targets(copy.to)) {
    if (objects_.object(object_of(target)).constant) continue;
    given.push_back(target);
    if (!changes(copy.given, target, 0)) continue;
    for (const auto& [distance, held] : copy.held) copy_in(held, distance, copy.bytes, target);
  }
  if (given.empty()) return;
  for (const CellId source : from) {
    const MemoryObject& object = objects_.object(object_of(source));
    if (object.kind == MemoryKind::kFunction) continue;
    if (cut_short()) return;
    if (changes(copy.sources, source, object.cells.size())) copy_out(copy, source, given);
  }
}

void PointsTo::apply_memory_copies() {
  std::set<std::pair<NodeId, NodeId>> unified;
  for (MemoryCopy& copy : copies_) {
    if (coarse_) {
      if (unified.emplace(root(copy.from), root(copy.to)).second) unify_copied(copy);
    } else {
      copy_new(copy);
    }
  }
}

bool PointsTo::out_of_time() const {
  return !coarse_ && processor_time() > deadline_;
}

bool PointsTo::cut_short() {
  if (!out_of_time()) return false;
  return changed_ = true;
}

void PointsTo::solve(std::chrono::nanoseconds deadline) {
  deadline_ = deadline;
  do {
    changed_ = false;
    if (out_of_time()) unify_everything();
    if (!coarse_) {
      if (++waves_ > kMostWaves || edges_ > ordered_edges_ + ordered_edges_ / 8) {
        merge_cycles_and_order();
        find_walks();
      }
      propagate();
    }
    apply_constraints();
    apply_memory_copies();
  } while (changed_);
}

}  // namespace ravel
