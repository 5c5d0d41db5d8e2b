// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Vector clocks that share memory. A clock is a radix tree of 16-way nodes (one cache line each), reference-counted and
// copied on write: up to 16 slots it is one line, a hand-over to a lock is one counter, and a hundred thousand ended
// threads whose clocks are almost equal keep almost one clock between them.
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
    unsigned height = height_of(clock);
    if ((slot >> (4 * height)) != 0) return 0;
    std::uint32_t node = node_of(clock);
    for (; height > 1; --height) node = nodes_[node].value[(slot >> (4 * (height - 1))) & 15];
    return nodes_[node].value[slot & 15];
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
  void set(ClockId& clock, Slot slot, Tick tick);
  // into = the larger of both, slot by slot.
  void join(ClockId& into, ClockId other);
  // to = from; from stays.
  void assign(ClockId& to, ClockId from) {
    if (to == from) return;
    drop(to);
    to = share(from);
  }

 private:
  struct alignas(64) Node {
    std::uint32_t value[16];  // ticks in a leaf, nodes above; node 0 is all zeros
  };
  // How two leaves compare, over all slots at once.
  struct Comparison {
    bool some_less;  // the first is smaller somewhere
    bool some_more;
  };
  static Comparison compare(const Node& a, const Node& b);
  static constexpr unsigned kHeightShift = 29;
  static unsigned height_of(ClockId clock) { return clock >> kHeightShift; }
  static std::uint32_t node_of(ClockId clock) { return clock & ((1u << kHeightShift) - 1); }
  static ClockId make_id(std::uint32_t node, unsigned height) { return (height << kHeightShift) | node; }

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
  bool exhausted_ = false;
};

}  // namespace ravel
