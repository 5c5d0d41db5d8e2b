// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Vector clocks that share memory. A clock is a radix tree of 16-way nodes (one cache line each), reference-counted and
// copied on write: up to 16 slots it is one line, and a hundred thousand ended threads whose clocks are almost equal
// keep almost one clock between them.
//
// A clock of one line is copied into the line that the other has to itself, rather than shared: then neither has to be
// copied when it is written next, and a copy or the larger of two is a few instructions over the slots that are in use.
// Where there are very many of them, they are shared too.
//
// ClockId 0 is the clock of zeros. An id is owned by who holds it: share() before a second one is kept, drop() at the
// end. When the pool is full, clocks stop growing and exhausted() says so: nothing computed later may be trusted.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/pool.h"

namespace ravel {

using ClockId = std::uint32_t;
using Slot = std::uint32_t;
using Tick = std::uint32_t;

class ClockPool {
 public:
  ClockPool(std::pmr::memory_resource& memory, std::uint32_t nodes);
  ~ClockPool();
  ClockPool(const ClockPool&) = delete;
  ClockPool& operator=(const ClockPool&) = delete;

  void clear();
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::uint32_t live_nodes() const { return nodes_.live(); }

  [[nodiscard]] Tick get(ClockId clock, Slot slot) const {
    if (is_leaf(clock)) return slot < 16 ? leaf(clock).value[slot] : 0;
    return get_in_tree(clock, slot);
  }

  [[nodiscard]] ClockId share(ClockId clock) {
    if (clock != 0) ++counts_[node_of(clock)];
    return clock;
  }
  // Most clocks that are dropped are those of zeros: a thread's clocks of fences and barriers.
  void drop(ClockId& clock) {
    if (clock == 0) return;
    drop_node(node_of(clock), height_of(clock));
    clock = 0;
  }
  void set(ClockId& clock, Slot slot, Tick tick) {
    if (is_own_leaf(clock) && slot < 4 * fours_) {
      leaf(clock).value[slot] = tick;
    } else {
      set_anywhere(clock, slot, tick);
    }
  }
  // into = the larger of both, slot by slot.
  void join(ClockId& into, ClockId other) {
    if (is_own_leaf(into) && is_leaf(other)) {
      raise_leaf(leaf(into), leaf(other));
    } else {
      join_anywhere(into, other);
    }
  }
  // to = from; from stays.
  void assign(ClockId& to, ClockId from) {
    if (to == from) return;
    if (is_own_leaf(to) && is_leaf(from)) {
      copy_leaf(leaf(to), leaf(from));
    } else {
      assign_anywhere(to, from);
    }
  }
  // One line: whatever is done with it takes next to no time.
  [[nodiscard]] static bool is_leaf(ClockId clock) { return height_of(clock) == 1; }

 private:
  // Ticks in a leaf, nodes above; node 0 is all zeros. In no leaf is there a slot in use behind the first `fours_`
  // groups.
  struct alignas(64) Node {
    std::uint32_t value[16];
  };
  using Four = std::uint32_t __attribute__((vector_size(16)));
  static_assert(sizeof(Node) == 4 * sizeof(Four));
  // How two leaves compare, over all slots at once.
  struct Comparison {
    bool some_less;  // the first is smaller somewhere
    bool some_more;
  };
  static Comparison compare(const Node& a, const Node& b);
  static constexpr std::uint32_t kMostCopies = 1u << 12;
  static constexpr unsigned kHeightShift = 29;
  static unsigned height_of(ClockId clock) { return clock >> kHeightShift; }
  static std::uint32_t node_of(ClockId clock) { return clock & ((1u << kHeightShift) - 1); }
  static ClockId make_id(std::uint32_t node, unsigned height) { return (height << kHeightShift) | node; }
  [[nodiscard]] bool may_copy() const { return nodes_.live() < kMostCopies && nodes_.live() < capacity_ / 2; }
  [[nodiscard]] bool is_own_leaf(ClockId clock) const { return is_leaf(clock) && counts_[node_of(clock)] == 1; }
  Node& leaf(ClockId clock) { return nodes_[node_of(clock)]; }
  [[nodiscard]] const Node& leaf(ClockId clock) const { return nodes_[node_of(clock)]; }
  static Four& four(Node& node, unsigned i) { return reinterpret_cast<Four*>(node.value)[i]; }
  static const Four& four(const Node& node, unsigned i) { return reinterpret_cast<const Four*>(node.value)[i]; }
  void raise_leaf(Node& into, const Node& other) const {
    unsigned i = 0;
    do {
      const Four a = four(into, i);
      const Four b = four(other, i);
      four(into, i) = a > b ? a : b;
    } while (++i < fours_);
  }
  void copy_leaf(Node& to, const Node& from) const {
    unsigned i = 0;
    do {
      four(to, i) = four(from, i);
    } while (++i < fours_);
  }

  [[nodiscard]] Tick get_in_tree(ClockId clock, Slot slot) const;
  void set_anywhere(ClockId& clock, Slot slot, Tick tick);
  void join_anywhere(ClockId& into, ClockId other);
  void assign_anywhere(ClockId& to, ClockId from);
  std::uint32_t add(const Node& node);
  void drop_node(std::uint32_t node, unsigned height);
  bool raise(ClockId& clock, unsigned height);
  bool make_own(std::uint32_t& node, unsigned height);
  [[nodiscard]] bool covers(std::uint32_t a, std::uint32_t b, unsigned height) const;
  void merge(std::uint32_t& a, std::uint32_t b, unsigned height);

  std::pmr::memory_resource& memory_;
  std::uint32_t capacity_;
  Pool<Node> nodes_;
  std::uint32_t* counts_;
  unsigned fours_ = 1;  // of a leaf: groups of four slots that are in use
  bool exhausted_ = false;
};

}  // namespace ravel
