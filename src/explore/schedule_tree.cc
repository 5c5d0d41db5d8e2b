// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/schedule_tree.h"

#include <atomic>
#include <cstring>

namespace ravel {
namespace {

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

constexpr NodeId kFirst = 2;                         // 0 is none, 1 the first root
constexpr std::uint32_t kKeptForClosing = 1u << 14;  // notes of the journal

}  // namespace

ScheduleTree::ScheduleTree(std::pmr::memory_resource& common, std::pmr::memory_resource& own, Journal& journal,
                           bool clear)
    : journal_(journal),
      head_(room<Head>(common, 1)),
      nodes_(room<Node>(common, kMostNodes)),
      free_(room<NodeId>(common, kMostNodes)),
      pruned_(room<NodeId>(own, kMostNodes)),
      walk_(room<NodeId>(own, kMostNodes)) {
  if (!clear) return;
  *head_ = Head{};
  nodes_[root()] = Node{};
}

void ScheduleTree::reset() {
  const NodeId fresh = take();
  if (fresh == 0) return;
  nodes_[fresh] = Node{};
  journal_.set(head_->root, fresh - 1);
  journal_.set(head_->quiet, std::uint32_t{0});
}

NodeId ScheduleTree::take() {
  if (!journal_.has_room(kKeptForClosing)) return 0;
  if (head_->free_count != 0) {
    const NodeId id = free_[head_->free_count - 1];
    journal_.set(head_->free_count, head_->free_count - 1);
    return id;
  }
  const NodeId id = kFirst + head_->used;
  if (id == kMostNodes) return 0;
  journal_.set(head_->used, head_->used + 1);
  return id;
}

NodeId ScheduleTree::append(NodeId parent, const Act& act, std::uint64_t keys, ThreadIndex thread, State state) {
  const NodeId id = take();
  if (id == 0) return 0;
  Node& node = nodes_[id];
  node = Node{};
  node.act = act;
  node.keys = keys;
  node.parent = parent;
  node.thread = thread;
  node.state = state;
  Node& above = nodes_[parent];
  INVARIANT(above.state != State::kDone, "what is done has no new branches");
  if (above.child == 0) {
    journal_.set(above.child, id);
  } else {
    NodeId last = above.child;
    while (nodes_[last].next != 0) last = nodes_[last].next;
    journal_.set(nodes_[last].next, id);
  }
  if (state == State::kWaiting && head_->quiet != 0) journal_.set(head_->quiet, std::uint32_t{0});
  return id;
}

void ScheduleTree::update(NodeId id, const Act& act, std::uint64_t keys, ThreadIndex thread) {
  if (!journal_.has_room(16)) return;
  Node& node = nodes_[id];
  if (node.thread != thread) journal_.set(node.thread, thread);
  Act& kept = node.act;
  if (std::memcmp(&kept, &act, sizeof(Act)) == 0) return;
  journal_.set(kept.op.kind, act.op.kind);
  journal_.set(kept.op.bits, act.op.bits);
  journal_.set(kept.op.size, act.op.size);
  journal_.set(kept.op.place, act.op.place);
  journal_.set(kept.op.value, act.op.value);
  journal_.set(kept.op.location, act.op.location);
  journal_.set(kept.choice, act.choice);
  journal_.set(kept.object, act.object);
  journal_.set(kept.ends, act.ends);
  journal_.set(node.keys, keys);
}

void ScheduleTree::withdraw(NodeId id) {
  for (; nodes_[id].guess && nodes_[id].parent != 0; id = nodes_[id].parent) {
    for (NodeId child = nodes_[id].child; child != 0; child = nodes_[child].next) {
      if (!nodes_[child].withdrawn) return;
    }
    if (!journal_.has_room(kKeptForClosing)) return;
    journal_.set(nodes_[id].withdrawn, true);
  }
}

// Up to the next free node: from beyond that nothing comes.
bool ScheduleTree::all_before_is_done(NodeId id) const {
  for (; nodes_[id].parent != 0; id = nodes_[id].parent) {
    const NodeId parent = nodes_[id].parent;
    for (NodeId child = nodes_[parent].child; child != id; child = nodes_[child].next) {
      if (nodes_[child].state != State::kDone) return false;
    }
    if (is_free(parent)) break;
  }
  return true;
}

void ScheduleTree::close(NodeId id) {
  Node& node = nodes_[id];
  INVARIANT(node.state == State::kBegun, "only what an execution led through is done");
  journal_.set(node.state, State::kDone);
  if (node.child == 0) return;
  INVARIANT(pruned_count_ < kMostNodes, "no node is pruned twice in a step");
  pruned_[pruned_count_++] = node.child;
  journal_.set(node.child, NodeId{0});
}

// In the order of the tree. Nothing is left at `id` and below; unless it is free, all before it is done as well. What
// is closed together with its parent needs no mark of its own.
NodeId ScheduleTree::finish(NodeId id) {
  for (;;) {
    const NodeId parent = nodes_[id].parent;
    if (parent == 0 || (is_free(id) && !all_before_is_done(id))) {
      close(id);
      return parent;
    }
    // The next one that is not done, also inside of those that were only waiting for `id`.
    NodeId above = parent;
    NodeId other = nodes_[id].next;
    while (other != 0) {
      const Node& node = nodes_[other];
      if (node.state == State::kDone) {
        other = node.next;
      } else if (node.state == State::kWaiting || is_free(other)) {
        close(id);
        return above;
      } else {
        above = other;
        other = node.child;
      }
    }
    if (above != parent) close(id);
    id = above;
  }
}

// What is below a node that is done was cut off, but is still what it was.
NodeId ScheduleTree::lowest_kept(NodeId id) const {
  NodeId kept = id;
  for (; id != 0; id = nodes_[id].parent) {
    if (nodes_[id].state == State::kDone) kept = nodes_[id].parent;
  }
  return kept;
}

void ScheduleTree::give_back() {
  std::uint32_t open = 0;
  for (std::uint32_t i = 0; i < pruned_count_; ++i) walk_[open++] = pruned_[i];
  pruned_count_ = 0;
  // Slots of the stack that were emptied in this step are still needed if it is undone.
  std::uint32_t count = head_->free_count;
  while (open != 0) {
    const NodeId id = walk_[--open];
    const Node& node = nodes_[id];
    if (node.next != 0) walk_[open++] = node.next;
    if (node.child != 0) walk_[open++] = node.child;
    if (!journal_.has_room(8)) continue;  // leaks, no more
    INVARIANT(count < head_->used, "only nodes that were taken are given back");
    journal_.set(free_[count], id);
    ++count;
  }
  if (count != head_->free_count) journal_.set(head_->free_count, count);
}

NodeId ScheduleTree::waiting_near(NodeId id) const {
  for (; id != 0; id = nodes_[id].parent) {
    for (NodeId child = nodes_[id].child; child != 0; child = nodes_[child].next) {
      if (nodes_[child].state == State::kWaiting) return child;
    }
  }
  return 0;
}

NodeId ScheduleTree::waiting_anywhere() const {
  if (nodes_[root()].state == State::kWaiting) return root();
  std::uint32_t known = 0;
  walk_[known++] = root();
  for (std::uint32_t seen = 0; seen < known; ++seen) {
    for (NodeId child = nodes_[walk_[seen]].child; child != 0; child = nodes_[child].next) {
      if (nodes_[child].state == State::kWaiting) return child;
      if (nodes_[child].state == State::kBegun) walk_[known++] = child;
    }
  }
  return 0;
}

NodeId ScheduleTree::end_of(NodeId branch) const {
  while (nodes_[branch].child != 0) branch = nodes_[branch].child;
  return branch;
}

void ScheduleTree::begin(NodeId id) {
  for (; id != 0; id = nodes_[id].parent) nodes_[id].state = State::kBegun;
}

bool ScheduleTree::is_quiet() const {
  return std::atomic_ref<std::uint32_t>(head_->quiet).load(std::memory_order_relaxed) != 0;
}

}  // namespace ravel
