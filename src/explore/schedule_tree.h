// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ScheduleTree: the part of the tree of schedules that a reduced search still needs: the paths that are being run, at
// each of their nodes the branches that are done (their first acts are the sleep set's) and those still to be run (a
// wake-up tree). An edge is an act. Children are only ever appended, so who comes before whom never changes: asleep in
// a branch are the acts of all branches before it, whether they are done or somebody is still at them.
//
// A node where a wake-up sequence ends is *free*: nothing is asleep there, and what is run below it is no business of
// anybody outside. The nodes above it, down to the next free one, are not: as long as something before them is not
// done, further sequences may come from there and go through them. So they are kept even if all below them is done.
//
// A sequence may end in a guess: an operation of which nobody can say beforehand whether it is enabled there
// (prediction.h). Until it was run its nodes are guesses: they put nothing to sleep and lead nowhere but to themselves.
// When it turns out not to be possible it is withdrawn, with the nodes that only it had led through.
//
// One tree for all processes of a search: `Head` and the nodes are in memory that they have in common, the rest is each
// one's own. Who changes it has it to itself (dpor.cc). Committed nodes change through the journal only; nodes are
// given back at the end of a step, so that what an undone step has to find again was not overwritten. Zero is a tree of
// one waiting node.
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

  enum class State : std::uint8_t {
    kWaiting,  // nobody was there, nor below
    kBegun,    // an execution leads through here, or led
    kDone,     // and so is all below, which is forgotten
  };

  struct Node {
    Act act;                 // of the edge that leads here
    std::uint64_t keys = 0;  // of the act (Keys::mask)
    NodeId parent = 0;
    NodeId child = 0;        // first
    NodeId next = 0;         // sibling
    ThreadIndex thread = 0;  // the act's, as it was numbered in the execution that knew it last
    State state = State::kWaiting;
    bool free = false;
    bool guess = false;       // part of a sequence that nobody knows to be possible: it was never run
    bool withdrawn = false;   // it was run and is not possible: as if it had never been entered
    bool open = false;        // the outcome of the act is not predicted
    bool ends_guess = false;  // the last act of a guess, also after it was run
    std::uint64_t tried = 0;  // the first node of a guess: which one
  };

  // `clear`: the common memory is not known to be zero, and nobody else has it.
  ScheduleTree(std::pmr::memory_resource& common, std::pmr::memory_resource& own, Journal& journal, bool clear);

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes_[id]; }
  // The node will be asked for soon: an execution leaves nothing of the tree in the processor's caches.
  void fetch(NodeId id) const { __builtin_prefetch(nodes_ + id); }
  [[nodiscard]] NodeId root() const { return head_->root + 1; }
  [[nodiscard]] bool is_done() const { return nodes_[root()].state == State::kDone; }

  // The first call of a step. The last one may have been cut short and undone: what it wanted to give back is needed.
  void begin_step() { pruned_count_ = 0; }
  // A tree of one node. The old one is left behind: restarts are few.
  void reset();
  // Behind all other children; 0 when there is no room.
  NodeId append(NodeId parent, const Act& act, std::uint64_t keys, ThreadIndex thread, State state);
  // The node was appended in this step.
  void set_free(NodeId id) { nodes_[id].free = true; }
  void set_guess(NodeId id) { nodes_[id].guess = true; }
  void set_ends_guess(NodeId id) { nodes_[id].ends_guess = true; }
  void set_open(NodeId id) { nodes_[id].open = true; }
  void set_tried(NodeId id, std::uint64_t which) { nodes_[id].tried = which; }
  // An execution went through the node: what leads there is possible.
  void confirm(NodeId id) {
    if (nodes_[id].guess) journal_.set(nodes_[id].guess, false);
  }
  // A guess that ends at the node is not possible.
  void withdraw(NodeId id);
  void update(NodeId id, const Act& act, std::uint64_t keys, ThreadIndex thread);
  // The end of an execution: nothing is left below, and so at those above that had nothing else, and at those behind
  // that were only waiting for this. Yields the lowest node where something is left; 0: none.
  NodeId finish(NodeId id);
  // The node, or the lowest above it that is not done; 0: all is done. Before the step gives nodes back.
  [[nodiscard]] NodeId lowest_kept(NodeId id) const;
  // The last call of a step.
  void give_back();

  // A branch to be run next: the one nearest to a node on the way up from it, else the topmost of all. 0: none.
  [[nodiscard]] NodeId waiting_near(NodeId id) const;
  [[nodiscard]] NodeId waiting_anywhere() const;
  // The first path down a waiting branch.
  [[nodiscard]] NodeId end_of(NodeId branch) const;
  // An execution leads to this node. No part of a step: may be done again.
  void begin(NodeId id);

  // A hint, may be read by anybody: nothing was waiting when somebody looked, and nothing came since.
  [[nodiscard]] bool is_quiet() const;
  void be_quiet() { head_->quiet = 1; }

 private:
  struct Head {
    NodeId root;  // less 1
    std::uint32_t used;
    std::uint32_t free_count;
    std::uint32_t quiet;
  };

  [[nodiscard]] NodeId take();
  [[nodiscard]] bool is_free(NodeId id) const { return nodes_[id].free || nodes_[id].parent == 0; }
  [[nodiscard]] bool all_before_is_done(NodeId id) const;
  void close(NodeId id);

  Journal& journal_;
  Head* head_;
  Node* nodes_;
  NodeId* free_;    // stack of nodes given back
  NodeId* pruned_;  // roots of what is to be given back; scratch
  NodeId* walk_;    // scratch
  std::uint32_t pruned_count_ = 0;
};

}  // namespace ravel
