// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Points-to sets by inclusion, field-sensitive, solved in waves: cycles of copies become one node, new targets travel
// in topological order, then loads, stores, offsets and calls add edges (Pereira and Berlin, "Wave propagation and deep
// propagation for pointer analysis", CGO 2009). Departs from it: cells of an object can merge while solving, and a
// caller may add constraints from within `Watcher`.
//
// After the budget every copy unifies its two ends (Steensgaard's analysis): less precise, never less complete.
#pragma once

#include <llvm/ADT/SparseBitVector.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "statics/llvm/memory_objects.h"

namespace ravel {

using NodeId = unsigned;
using CellSet = llvm::SparseBitVector<>;

class PointsTo {
 public:
  using Watcher = std::function<void(CellId)>;  // a new target

  explicit PointsTo(const llvm::DataLayout& layout) : objects_(layout) {}

  NodeId new_node();
  ObjectId new_object(MemoryObject object);
  // The cell is also a node: what the memory there holds. kNoCell: outside the object.
  CellId cell(ObjectId object, std::int64_t offset);

  void point(NodeId node, CellId target);
  void copy(NodeId from, NodeId to);
  void load(NodeId pointer, NodeId to);
  void store(NodeId from, NodeId pointer);
  // to = from + offset; with a stride: plus any multiple of it.
  void offset(NodeId from, NodeId to, std::int64_t offset, std::int64_t stride);
  void copy_memory(NodeId from, NodeId to, std::int64_t bytes);
  void watch(NodeId node, Watcher watcher);

  void solve(std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] bool coarse() const { return coarse_; }

  // The targets as canonical cells.
  [[nodiscard]] CellSet targets(NodeId node) const;
  [[nodiscard]] CellId canonical(CellId cell) const;
  // The same for nodes that hold the same.
  [[nodiscard]] NodeId class_of(NodeId node) const { return root(node); }
  [[nodiscard]] bool is_cell(NodeId node) const { return cells_[node].object != kNoCell; }
  [[nodiscard]] ObjectId object_of(CellId cell) const { return cells_[cell].object; }
  [[nodiscard]] std::int64_t offset_of(CellId cell) const { return cells_[cell].offset; }
  [[nodiscard]] const MemoryObjects& objects() const { return objects_; }
  [[nodiscard]] std::size_t nodes() const { return cells_.size(); }

 private:
  enum class Kind : std::uint8_t { kLoad, kStore, kOffset, kCopyFrom, kCopyTo, kWatch };
  struct Constraint {
    Kind kind = Kind::kLoad;
    NodeId other = 0;
    std::int64_t number = 0;  // offset, bytes
    std::int64_t stride = 0;
    unsigned extra = 0;  // watcher or memory copy
    CellSet done;
  };
  struct Cell {
    ObjectId object = kNoCell;
    std::int64_t offset = 0;
    CellId canonical = 0;
  };
  struct MemoryCopy {
    NodeId from = 0;
    NodeId to = 0;
    std::int64_t bytes = 0;
    std::set<std::pair<CellId, CellId>> done;
    std::map<std::pair<CellId, CellId>, std::size_t> copied;  // how many cells the source had
  };

  [[nodiscard]] NodeId root(NodeId node) const;
  void unify(NodeId a, NodeId b);
  void add_edge(NodeId from, NodeId to);
  bool add_targets(NodeId node, const CellSet& set);
  void add_constraint(NodeId node, Constraint constraint);
  void merge_cycles_and_order(std::vector<NodeId>& order);
  bool propagate(const std::vector<NodeId>& order);
  bool apply_constraints();
  void apply(Constraint& constraint, CellId target);
  void unify_constraint(NodeId holder, Constraint& constraint, const CellSet& fresh);
  bool apply_memory_copies();
  void unify_copied(const MemoryCopy& copy);
  void copy_cells(MemoryCopy& copy, CellId from, CellId to);
  void make_array(ObjectId object, std::int64_t offset, std::int64_t stride);
  void unify_everything();
  // The budget has ended and the coarser analysis has not begun: stop what is under way.
  [[nodiscard]] bool out_of_time() const;

  MemoryObjects objects_;
  std::vector<Cell> cells_;  // by node; object kNoCell: not a cell
  mutable std::vector<NodeId> parent_;
  std::deque<CellSet> targets_;
  std::deque<CellSet> sent_;
  std::deque<CellSet> next_;  // copy edges
  std::deque<std::deque<Constraint>> constraints_;
  std::vector<Watcher> watchers_;
  std::deque<MemoryCopy> copies_;
  std::chrono::steady_clock::time_point deadline_;
  bool coarse_ = false;
  bool changed_ = false;
  bool arrays_grew_ = false;  // since memory was copied
};

}  // namespace ravel
