// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ScheduleTree: the part of the tree of schedules that a depth-first reduced search still needs: the present path, at
// each of its nodes the branches that are done (their first acts are the sleep set's) and those still to be run (a
// wake-up tree). An edge is an act. Children are in order: done, active, waiting.
//
// In shared memory: committed nodes change through the journal only; nodes are given back at the end of a step, so that
// what an undone step has to find again was not overwritten.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/journal.h"
#include "explore/act.h"

namespace ravel {

using NodeId = std::uint32_t;  // 0: none

class ScheduleTree {
 public:
  static constexpr std::uint32_t kMostNodes = 1u << 20;

  struct Node {
    Act act;            // of the edge that leads here
    NodeId child = 0;   // first
    NodeId next = 0;    // sibling
    NodeId active = 0;  // child on the present path
    std::uint8_t visited = 0;
  };

  ScheduleTree(std::pmr::memory_resource& memory, Journal& journal);

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes_[id]; }
  [[nodiscard]] NodeId root() const { return root_; }

  // The first call of a step. The last one may have been cut short and undone: what it wanted to give back is needed.
  void begin_step() { pruned_count_ = 0; }
  // A tree of one node. The old one is left behind: restarts are few.
  void reset();
  // Behind all other children; 0 when there is no room. Becomes the active one if there was none.
  NodeId append(NodeId parent, const Act& act);
  // An execution passes through.
  void visit(NodeId id);
  void update(NodeId id, const Act& act);
  // The next waiting sibling of the active child becomes active; false: none.
  bool advance(NodeId id);
  // Forgets what is below a node. Takes effect when the step is over.
  void prune(NodeId id);
  // The last call of a step.
  void give_back();

 private:
  [[nodiscard]] NodeId take();

  Journal& journal_;
  Node* nodes_;
  NodeId* free_;    // stack of nodes given back
  NodeId* pruned_;  // roots of what is to be given back; scratch
  NodeId* walk_;    // scratch
  NodeId root_ = 0;
  std::uint32_t used_ = 1;
  std::uint32_t free_count_ = 0;
  std::uint32_t pruned_count_ = 0;
};

}  // namespace ravel
