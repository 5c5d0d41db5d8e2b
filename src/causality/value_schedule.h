// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The value schedule of one execution: the order of conflicting accesses to each location, of the operations on each
// lock and other object, and the alternatives that were chosen. Reads between two writes are a set. Two executions of
// one program have the same value schedule iff they differ only in the order of independent operations
// (semantics/dependence.h), so the hash names a Mazurkiewicz trace.
// J. Chen, "Guided testing of concurrent programs using value schedules", University of Waterloo, 2009.
//
// Names last from one execution to the next: threads by lineage, memory by owner and number (model/sequence.h).
// Counted are operations that were scheduling points; what a single thread uses adds nothing. So it does not matter
// which private accesses were recorded.
//
// Memory: for every byte a chain over the writes, each with the sum of the reads since the write before it. Objects:
// for every operation and every other thread, which of that thread's operations on the object is the last one that
// conflicts with it. All of it is summed up, so that independent operations may come in either order.
//
// No heap of its own: tables are taken from `memory` when it is made; begin() is O(1).
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "model/trace_view.h"
#include "semantics/operation_view.h"

namespace ravel {

struct ValueScheduleLimits {
  std::uint32_t cells = 1u << 16;       // of eight bytes
  std::uint32_t operations = 1u << 17;  // on locks and other objects
  std::uint32_t threads = 1u << 16;
};

class ValueSchedule {
 public:
  explicit ValueSchedule(std::pmr::memory_resource& memory, const ValueScheduleLimits& limits = {});
  ValueSchedule(const ValueSchedule&) = delete;
  ValueSchedule& operator=(const ValueSchedule&) = delete;

  // Its tables of threads and objects may grow while events are added.
  void begin(const TraceView& trace);
  // `operand`: as TraceView::operands has it.
  void add(const Event& e, std::uint64_t operand);
  // Of the events so far. Without meaning if truncated().
  [[nodiscard]] std::uint64_t hash();
  [[nodiscard]] bool truncated() const { return truncated_; }

  // Of an execution that is over, in one call.
  [[nodiscard]] std::uint64_t of(const TraceView& trace);

 private:
  static constexpr std::uint32_t kCellBytes = 8;
  struct Cell {
    std::uint64_t place = 0;
    std::uint32_t next_in_block = 0;
    ThreadIndex thread = 0;  // the first
    bool shared = false;
    bool written = false;
    std::uint64_t writes[kCellBytes] = {};  // chains
    std::uint64_t reads[kCellBytes] = {};   // sums, since the last write
  };
  struct Operation {
    OperationView view;
    std::uint32_t number = 0;    // of its thread on this object, from 1
    std::uint32_t previous = 0;  // of its thread on this object
  };
  struct User {  // a thread on an object
    ThreadIndex thread = 0;
    std::uint32_t last = 0;  // operation
    std::uint32_t next = 0;
  };
  struct Object {
    std::uint64_t place = 0;
    std::uint64_t sum = 0;
    std::uint32_t users = 0;
    std::uint32_t next_in_block = 0;
  };
  struct Block {  // what lies in one object of the trace
    std::uint32_t cells = 0;
    std::uint32_t objects = 0;
    std::uint64_t freed = 0;  // 0: alive
    OperationView freed_by;
  };
  struct Thread {
    std::uint64_t name = 0;
    std::uint64_t choices = 0;  // chain
    std::uint32_t points = 0;
    std::uint32_t collected = 0;  // joins and detaches of it
  };

  Thread* thread(ThreadIndex index);
  [[nodiscard]] std::uint64_t name_of_place(std::uint64_t place) const;
  Block* block_of(std::uint64_t place);
  Cell* cell_at(std::uint64_t place);
  Object* object_at(std::uint64_t place);
  void access(const Event& e, std::uint32_t bytes, bool write, std::uint64_t word);
  void access_cell(Cell& cell, ThreadIndex thread, unsigned first, unsigned end, bool write, std::uint64_t word);
  void operate(std::uint64_t place, const OperationView& op, std::uint64_t word);
  void enter(Object& object, const OperationView& op, std::uint64_t word);
  void free_block(const Event& e, std::uint64_t word);
  void reach(std::uint64_t word, std::uint64_t target);
  void reach_one(std::uint64_t word, ThreadIndex target);
  [[nodiscard]] std::uint64_t word_of(const Event& e);
  [[nodiscard]] static std::uint64_t value_of(const Cell& cell);

  TraceView trace_;
  Pool<Cell> cells_;
  Pool<Operation> operations_;
  Pool<User> users_;
  Pool<Object> objects_;
  Pool<Block> blocks_;
  PlaceMap cell_index_;
  PlaceMap object_index_;
  PlaceMap block_index_;
  SparseArray<Thread> threads_;
  ThreadIndex thread_count_ = 0;
  std::uint64_t sum_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
