// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accesses that cannot race, in any order of the execution's steps: creation and joining of threads alone order each of
// them and every access or free that conflicts with it. SharedLocations finds out which locations have others; that
// depends on what the threads did, not on the order they did it in. (Accesses to other threads' stacks and executions
// with regions are left out, since there others than the race detector care.) So an execution that consists of the same
// accesses as an earlier one, in whatever order, is not searched for shared locations again, and the race detector is
// not shown its quiet accesses: a search that never sees a trace twice sees the same few sets of accesses all the time.
//
// A set is known by a hash: the sum over its accesses of thread, number of the thread's creations and joinings so far,
// kind, location, object by its name, offset and size; and over creations, joinings and ends.
//
// Only executions that are looked at in one piece have one. Noisy locations are kept in a filter: who is in it by
// mistake is looked at without need.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/pool.h"
#include "detect/shared_locations.h"
#include "engine/seen_traces.h"
#include "model/execution.h"
#include "model/tables.h"

namespace ravel {

class QuietAccesses final : public LocationSink {
 public:
  // What it is given goes on to `points`.
  QuietAccesses(std::pmr::memory_resource& memory, LocationSink& points, const ObjectRecord* objects);

  // An execution: all of its events, or none if they come in pieces.
  void begin(std::span<const Event> events);
  // Its accesses are known: nobody needs to look for shared locations.
  [[nodiscard]] bool settled() const { return settled_; }
  // Needs no look at races. Only in a settled execution.
  [[nodiscard]] bool is_quiet(const Event& e) const {
    if ((e.kind != OpKind::kRead && e.kind != OpKind::kWrite) || e.object == 0) return false;
    const std::uint32_t bit = bit_of(e.location);
    return (noisy_[bit / 64] >> (bit % 64) & 1) == 0;
  }

  // Otherwise, with each event, behind `shared`: what conflicts with a free is noisy too.
  void on_event(const Event& e, Epoch epoch, const SharedLocations& shared);
  // Behind the last event: the set is known from now on, unless something could not be looked at.
  void finish(std::span<const Event> events, bool complete);

  void on_location(LocationId location) override;

  // Of an execution's events; 0: there is none.
  static std::uint64_t pattern_of(std::span<const Event> events, const ObjectRecord* objects);

 private:
  static constexpr std::uint32_t kBits = 1u << 14;
  static constexpr std::uint32_t kMostHeapObjects = 1u << 16;
  struct Touch {  // the latest of its thread
    Epoch epoch;
    std::uint32_t next;
  };
  struct HeapObject {
    std::uint32_t touches;
    bool freed;
    bool noisy;  // a free that nothing orders with some access
    Epoch freed_at;
  };

  static std::uint32_t bit_of(LocationId location) {
    return static_cast<std::uint32_t>(location * 0x9e3779b97f4a7c15ull >> 50);  // kBits
  }
  void mark(LocationId location) {
    const std::uint32_t bit = bit_of(location);
    noisy_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  HeapObject* heap_object(ObjectId object);
  [[nodiscard]] bool is_on_foreign_stack(const Event& e) const;

  LocationSink& points_;
  const ObjectRecord* objects_;
  SeenTraces seen_;
  SparseArray<HeapObject> heap_;
  Pool<Touch> touches_;
  std::uint64_t pattern_ = 0;
  bool settled_ = false;
  bool too_many_ = false;
  bool some_noisy_ = false;  // of heap_
  std::uint64_t noisy_[kBits / 64] = {};
};

}  // namespace ravel
