// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/schedule_tree.h"

#include <cstring>

namespace ravel {
namespace {

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

}  // namespace

ScheduleTree::ScheduleTree(std::pmr::memory_resource& memory, Journal& journal)
    : journal_(journal),
      nodes_(room<Node>(memory, kMostNodes)),
      free_(room<NodeId>(memory, kMostNodes)),
      pruned_(room<NodeId>(memory, kMostNodes)),
      walk_(room<NodeId>(memory, kMostNodes)) {
  root_ = used_++;
  nodes_[root_] = Node{};
}

void ScheduleTree::reset() {
  const NodeId fresh = take();
  if (fresh == 0) return;
  nodes_[fresh] = Node{};
  journal_.set(root_, fresh);
}

NodeId ScheduleTree::take() {
  if (!journal_.has_room(64)) return 0;
  if (free_count_ != 0) {
    const NodeId id = free_[free_count_ - 1];
    journal_.set(free_count_, free_count_ - 1);
    return id;
  }
  if (used_ == kMostNodes) return 0;
  const NodeId id = used_;
  journal_.set(used_, used_ + 1);
  return id;
}

NodeId ScheduleTree::append(NodeId parent, const Act& act) {
  const NodeId id = take();
  if (id == 0) return 0;
  nodes_[id] = Node{};
  nodes_[id].act = act;
  Node& above = nodes_[parent];
  if (above.child == 0) {
    journal_.set(above.child, id);
    journal_.set(above.active, id);
  } else {
    NodeId last = above.child;
    while (nodes_[last].next != 0) last = nodes_[last].next;
    journal_.set(nodes_[last].next, id);
  }
  return id;
}

void ScheduleTree::visit(NodeId id) {
  Node& node = nodes_[id];
  if (node.visited != 0 || !journal_.has_room(16)) return;
  journal_.set(node.visited, std::uint8_t{1});
}

void ScheduleTree::update(NodeId id, const Act& act) {
  Act& kept = nodes_[id].act;
  if (std::memcmp(&kept, &act, sizeof(Act)) == 0 || !journal_.has_room(16)) return;
  journal_.set(kept.op.kind, act.op.kind);
  journal_.set(kept.op.bits, act.op.bits);
  journal_.set(kept.op.size, act.op.size);
  journal_.set(kept.op.place, act.op.place);
  journal_.set(kept.op.value, act.op.value);
  journal_.set(kept.op.location, act.op.location);
  journal_.set(kept.choice, act.choice);
  journal_.set(kept.object, act.object);
  journal_.set(kept.ends, act.ends);
}

bool ScheduleTree::advance(NodeId id) {
  Node& node = nodes_[id];
  if (node.active == 0) return false;
  const NodeId next = nodes_[node.active].next;
  if (next == 0) return false;
  prune(node.active);
  journal_.set(node.active, next);
  return true;
}

void ScheduleTree::prune(NodeId id) {
  Node& node = nodes_[id];
  if (node.child == 0) return;
  pruned_[pruned_count_++] = node.child;
  journal_.set(node.child, NodeId{0});
  journal_.set(node.active, NodeId{0});
}

void ScheduleTree::give_back() {
  std::uint32_t open = 0;
  for (std::uint32_t i = 0; i < pruned_count_; ++i) walk_[open++] = pruned_[i];
  pruned_count_ = 0;
  // Slots of the stack that were emptied in this step are still needed if it is undone.
  std::uint32_t count = free_count_;
  while (open != 0) {
    const NodeId id = walk_[--open];
    const Node& node = nodes_[id];
    if (node.next != 0) walk_[open++] = node.next;
    if (node.child != 0) walk_[open++] = node.child;
    if (!journal_.has_room(8)) continue;  // leaks, no more
    journal_.set(free_[count], id);
    ++count;
  }
  if (count != free_count_) journal_.set(free_count_, count);
}

}  // namespace ravel
