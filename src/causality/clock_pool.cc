// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ownership rule inside: a std::uint32_t& node is a place that owns one reference and whose holder is not shared
// itself, so it may be replaced. Equal node numbers mean equal subtrees; most work ends there.
#include "causality/clock_pool.h"

namespace ravel {

ClockPool::ClockPool(std::pmr::memory_resource& memory, std::uint32_t nodes)
    : memory_(memory),
      capacity_(nodes),
      nodes_(memory, nodes),
      counts_(static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * (std::size_t{nodes} + 1), 16))) {
  nodes_[0] = Node{};
}

ClockPool::~ClockPool() {
  memory_.deallocate(counts_, sizeof(std::uint32_t) * (std::size_t{capacity_} + 1), 16);
}

inline ClockPool::Comparison ClockPool::compare(const Node& a, const Node& b) {
  using Two = std::uint64_t __attribute__((vector_size(16)));
  Two less = {};
  Two more = {};
  for (int i = 0; i < 16; i += 4) {
    Four x;
    Four y;
    __builtin_memcpy(&x, a.value + i, sizeof x);
    __builtin_memcpy(&y, b.value + i, sizeof y);
    less |= reinterpret_cast<Two>(x < y);
    more |= reinterpret_cast<Two>(x > y);
  }
  return {(less[0] | less[1]) != 0, (more[0] | more[1]) != 0};
}

void ClockPool::clear() {
  nodes_.clear();
  fours_ = 1;
  exhausted_ = false;
}

std::uint32_t ClockPool::add(const Node& node) {
  const std::uint32_t index = nodes_.add(node);
  if (index == 0) {
    exhausted_ = true;
    return 0;
  }
  counts_[index] = 1;
  return index;
}

void ClockPool::drop_node(std::uint32_t node, unsigned height) {
  if (node == 0 || --counts_[node] != 0) return;
  if (height > 1) {
    for (const std::uint32_t child : nodes_[node].value) drop_node(child, height - 1);
  }
  nodes_.remove(node);
}

bool ClockPool::raise(ClockId& clock, unsigned height) {
  if (clock == 0) {
    const std::uint32_t node = add(Node{});
    if (node == 0) return false;
    clock = make_id(node, height);
    return true;
  }
  while (height_of(clock) < height) {
    Node above{};
    above.value[0] = node_of(clock);
    const std::uint32_t node = add(above);
    if (node == 0) return false;
    clock = make_id(node, height_of(clock) + 1);
  }
  return true;
}

// Makes the place hold an unshared node.
bool ClockPool::make_own(std::uint32_t& node, unsigned height) {
  if (node != 0 && counts_[node] == 1) return true;
  const std::uint32_t copy = add(nodes_[node]);
  if (copy == 0) return false;
  if (node != 0) {
    if (height > 1) {
      for (const std::uint32_t child : nodes_[node].value) {
        if (child != 0) ++counts_[child];
      }
    }
    --counts_[node];
  }
  node = copy;
  return true;
}

__attribute__((noinline)) Tick ClockPool::get_in_tree(ClockId clock, Slot slot) const {
  unsigned height = height_of(clock);
  if ((slot >> (4 * height)) != 0) return 0;
  std::uint32_t node = node_of(clock);
  for (; height > 1; --height) node = nodes_[node].value[(slot >> (4 * (height - 1))) & 15];
  return nodes_[node].value[slot & 15];
}

__attribute__((noinline)) void ClockPool::set_anywhere(ClockId& clock, Slot slot, Tick tick) {
  if (slot < 16 && slot / 4 >= fours_) fours_ = slot / 4 + 1;
  unsigned height = 1;
  while ((slot >> (4 * height)) != 0) ++height;
  if (!raise(clock, height)) return;
  height = height_of(clock);
  std::uint32_t top = node_of(clock);
  if (!make_own(top, height)) return;
  clock = make_id(top, height);
  std::uint32_t node = top;
  for (; height > 1; --height) {
    std::uint32_t& child = nodes_[node].value[(slot >> (4 * (height - 1))) & 15];
    if (!make_own(child, height - 1)) return;
    node = child;
  }
  nodes_[node].value[slot & 15] = tick;
}

bool ClockPool::covers(std::uint32_t a, std::uint32_t b, unsigned height) const {
  if (a == b || b == 0) return true;
  if (height == 1) return !compare(nodes_[a], nodes_[b]).some_less;
  if (a == 0) return false;
  for (int i = 0; i < 16; ++i) {
    if (!covers(nodes_[a].value[i], nodes_[b].value[i], height - 1)) return false;
  }
  return true;
}

void ClockPool::merge(std::uint32_t& a, std::uint32_t b, unsigned height) {
  if (a == b || b == 0) return;
  bool other_covers = a == 0;
  if (height == 1 && !other_covers) {
    const Comparison comparison = compare(nodes_[a], nodes_[b]);
    if (!comparison.some_less) return;
    other_covers = !comparison.some_more;
  } else if (!other_covers) {
    if (covers(a, b, height)) return;
    other_covers = covers(b, a, height);
  }
  if (other_covers) {
    ++counts_[b];
    drop_node(a, height);
    a = b;
    return;
  }
  if (!make_own(a, height)) return;
  Node& mine = nodes_[a];
  const Node& other = nodes_[b];
  if (height == 1) {
    for (int i = 0; i < 16; ++i) mine.value[i] = mine.value[i] > other.value[i] ? mine.value[i] : other.value[i];
    return;
  }
  for (int i = 0; i < 16; ++i) merge(mine.value[i], other.value[i], height - 1);
}

__attribute__((noinline)) void ClockPool::assign_anywhere(ClockId& to, ClockId from) {
  drop(to);
  if (is_leaf(from) && may_copy()) {
    const std::uint32_t copy = add(leaf(from));
    if (copy != 0) {
      to = make_id(copy, 1);
      return;
    }
  }
  to = share(from);
}

__attribute__((noinline)) void ClockPool::join_anywhere(ClockId& into, ClockId other) {
  if (into == other || other == 0) return;
  if (into == 0) return assign_anywhere(into, other);
  if (is_leaf(into) && is_leaf(other) && may_copy()) {
    std::uint32_t node = node_of(into);
    if (!make_own(node, 1)) return;
    into = make_id(node, 1);
    raise_leaf(leaf(into), leaf(other));
    return;
  }
  if (height_of(into) < height_of(other) && !raise(into, height_of(other))) return;
  unsigned height = height_of(into);
  std::uint32_t top = node_of(into);
  if (height == height_of(other)) {
    merge(top, node_of(other), height);
    into = make_id(top, height);
    return;
  }
  // The other clock is lower: it belongs below the leftmost path.
  if (!make_own(top, height)) return;
  into = make_id(top, height);
  std::uint32_t node = top;
  while (height - 1 > height_of(other)) {
    std::uint32_t& child = nodes_[node].value[0];
    if (!make_own(child, height - 1)) return;
    node = child;
    --height;
  }
  merge(nodes_[node].value[0], node_of(other), height_of(other));
}

}  // namespace ravel
