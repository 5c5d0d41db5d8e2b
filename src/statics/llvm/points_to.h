// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Points-to sets by inclusion, field-sensitive, solved in waves: cycles of copies become one node, new targets travel
// in topological order, then loads, stores, offsets and calls add edges (Pereira and Berlin, "Wave propagation and deep
// propagation for pointer analysis", CGO 2009). Departs from it: cells of an object can merge while solving, a caller
// may add constraints from within `Watcher`, and a wave looks only at nodes that have changed; cycles are looked for
// when there are many new edges.
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

// Of this thread: facts do not depend on how busy the machine is.
std::chrono::nanoseconds processor_time();
using CellSet = llvm::SparseBitVector<>;

class PointsTo {
 public:
  using Watcher = std::function<void(CellId)>;  // a new target that is a function

  explicit PointsTo(const llvm::DataLayout& layout) : objects_(layout) {}

  NodeId new_node();
  MemoryId new_object(MemoryObject object);
  // The cell is also a node: what the memory there holds. kNoCell: outside the object.
  CellId cell(MemoryId object, std::int64_t offset);

  void point(NodeId node, CellId target);
  void copy(NodeId from, NodeId to);
  void load(NodeId pointer, NodeId to);
  void store(NodeId from, NodeId pointer);
  // to = from + offset; with a stride: plus any multiple of it.
  void offset(NodeId from, NodeId to, std::int64_t offset, std::int64_t stride);
  void copy_memory(NodeId from, NodeId to, std::int64_t bytes);
  void watch(NodeId node, Watcher watcher);

  // The deadline is one of `processor_time`.
  void solve(std::chrono::nanoseconds deadline);
  [[nodiscard]] bool coarse() const { return coarse_; }

  // The targets as canonical cells.
  [[nodiscard]] CellSet targets(NodeId node) const;
  [[nodiscard]] CellId canonical(CellId cell) const;
  // The same for nodes that hold the same.
  [[nodiscard]] NodeId class_of(NodeId node) const { return root(node); }
  [[nodiscard]] bool is_cell(NodeId node) const { return cells_[node].object != kNoCell; }
  [[nodiscard]] MemoryId object_of(CellId cell) const { return cells_[cell].object; }
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
    unsigned extra = 0;    // watcher or memory copy
    bool walks = false;    // an offset that its own result comes back to
    bool applied = false;  // to the `applied_` of its node
    CellSet done;          // a watcher's: each target once
    std::size_t seen = 0;  // how many these were
  };
  struct Cell {
    MemoryId object = kNoCell;
    std::int64_t offset = 0;
    CellId canonical = 0;
  };
  // Of an object: what a copy of it, or into it, depends on.
  struct Shape {
    std::size_t cells = 0;
    unsigned arrays = 0;  // found so far
    friend bool operator==(const Shape& a, const Shape& b) { return a.cells == b.cells && a.arrays == b.arrays; }
  };
  // From a pointer on; with a stride: and any multiple farther.
  struct Distance {
    std::int64_t first = 0;
    std::int64_t stride = 0;
    friend bool operator<(const Distance& a, const Distance& b) {
      return a.first != b.first ? a.first < b.first : a.stride < b.stride;
    }
  };
  struct MemoryCopy {
    NodeId from = 0;
    NodeId to = 0;
    std::int64_t bytes = 0;
    // What was copied and where to, with the state that the objects had then.
    std::map<CellId, Shape> sources;
    std::map<CellId, Shape> given;
    std::size_t unified = 0;  // targets of both when they became one
    // What is copied, by where it stands from the pointers on: each source has an edge to it, and it has one to each
    // target.
    std::map<Distance, NodeId> held;
  };

  [[nodiscard]] NodeId root(NodeId node) const;
  void unify(NodeId a, NodeId b);
  void add_edge(NodeId from, NodeId to);
  void mark_changed(NodeId node);
  void add_targets(NodeId node, const CellSet& set);
  void add_constraint(NodeId node, Constraint constraint);
  void merge_cycles_and_order();
  void propagate();
  void send(NodeId node);
  void apply_constraints();
  void apply_to_new_targets(NodeId node);
  void notify_watchers(NodeId node);
  void find_walks();
  void apply(const Constraint& constraint, CellId target);
  void move(const Constraint& constraint, CellId target);
  void apply_coarsely(NodeId node);
  void apply_memory_copies();
  void copy_new(MemoryCopy& copy);
  void unify_copied(MemoryCopy& copy);
  void copy_out(MemoryCopy& copy, CellId source, const std::vector<CellId>& given);
  NodeId passed(MemoryCopy& copy, const Distance& distance, const std::vector<CellId>& given);
  void copy_in(NodeId held, const Distance& distance, std::int64_t bytes, CellId target);
  void make_array(MemoryId object, std::int64_t offset, std::int64_t stride);
  void unify_everything();
  // The budget has ended and the coarser analysis has not begun.
  [[nodiscard]] bool out_of_time() const;
  // The same, and what is under way has to stop.
  bool cut_short();

  MemoryObjects objects_;
  std::vector<Cell> cells_;  // by node; object kNoCell: not a cell
  mutable std::vector<NodeId> parent_;
  std::deque<CellSet> targets_;
  std::deque<CellSet> sent_;
  std::deque<CellSet> applied_;  // targets that the constraints of the node have been applied to
  std::deque<CellSet> next_;     // copy edges
  std::deque<std::deque<Constraint>> constraints_;
  CellSet functions_;             // cells that are functions
  std::deque<Watcher> watchers_;  // that may add others
  std::deque<MemoryCopy> copies_;
  // By node: it has targets that were not sent on, or not shown to its constraints.
  std::vector<char> unsent_;
  std::vector<char> unapplied_;
  std::vector<NodeId> order_;  // of a wave
  std::size_t edges_ = 0;
  std::size_t ordered_edges_ = 0;  // when the order was made
  unsigned waves_ = 0;             // since
  std::chrono::nanoseconds deadline_{0};
  bool coarse_ = false;
  bool changed_ = false;
};

}  // namespace ravel
