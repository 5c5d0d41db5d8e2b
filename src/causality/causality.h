// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Happens-before of one execution, computed while its events stream by. C++20 rules, see causality/README.md for the
// edges of each operation.
//
// Each thread has a slot in the vector clocks. The slot of an ended thread is given to a new one whose creator knows
// the end: whoever then knows the new thread knows the old one too, so nothing is confused and clocks stay short.
//
// on_event() must see every event in order. After it, ordered() answers for the event's thread. begin() is O(1).
#pragma once

#include <bitset>
#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "causality/clock_pool.h"
#include "model/event.h"
#include "semantics/effects.h"

namespace ravel {

struct Epoch {
  Slot slot = 0;
  Tick tick = 0;
};

struct CausalityOptions {
  std::uint32_t max_threads = 1u << 18;
  std::uint32_t max_clock_nodes = 1u << 21;  // 64 bytes each
  std::uint32_t max_sync_places = 1u << 20;
  bool lifecycle_only = false;  // only creation and joining order anything
  // Rules that tests switch off to see that they matter.
  bool without_release_sequences = false;
  bool without_fences = false;
};

class Causality {
 public:
  Causality(std::pmr::memory_resource& memory, const CausalityOptions& options);
  ~Causality();
  Causality(const Causality&) = delete;
  Causality& operator=(const Causality&) = delete;

  void begin();
  // The epoch of the event: if it is an access, ordered(epoch, u) later says whether it happens before what u does
  // then.
  Epoch on_event(const Event& e) {
    ThreadState& t = enter(e.thread);
    if (e.kind == OpKind::kRead || e.kind == OpKind::kWrite) {
      if (t.released) advance(t);
      const Epoch epoch{t.slot, t.tick};
      // A new object in old memory: what was released through the old one orders nothing any more.
      if (e.kind == OpKind::kWrite && sync_objects_.test(e.object % sync_objects_.size())) forget(place_of(e));
      return epoch;
    }
    if (is_atomic_access(e.kind)) {
      if (t.released) advance(t);
      const Epoch epoch{t.slot, t.tick};
      if (!options_.lifecycle_only) atomic(t, e);
      return epoch;
    }
    return other_event(t, e);
  }
  // The next event is a use of memory that is no access: it gets a tick that nobody knows yet, as an access does.
  void use(ThreadIndex index) {
    ThreadState& t = enter(index);
    if (t.released) advance(t);
  }
  // The event is a plain access, and on_event() may be left out for it: later answers are the same.
  [[nodiscard]] bool may_skip(const Event& e) const {
    return e.kind == OpKind::kRead ||
           (e.kind == OpKind::kWrite && !sync_objects_.test(e.object % sync_objects_.size()));
  }
  [[nodiscard]] bool ordered(Epoch earlier, ThreadIndex thread) {
    const ThreadState* state = threads_.find(thread);
    return state != nullptr && (state->slot == earlier.slot || earlier.tick <= clocks_.get(state->clock, earlier.slot));
  }
  // Of the thread of the event that was last; its own epochs are known as long as no table is full.
  [[nodiscard]] bool knows(Epoch earlier) const { return earlier.tick <= clocks_.get(current_->clock, earlier.slot); }
  // The same, for the thread of the event that was last.
  [[nodiscard]] bool ordered(Epoch earlier) const {
    return current_->slot == earlier.slot || earlier.tick <= clocks_.get(current_->clock, earlier.slot);
  }
  // Some table was full: orders may be missing, races found from now on may be false.
  [[nodiscard]] bool exhausted() const { return exhausted_ || clocks_.exhausted(); }

 private:
  struct ClockEdges;
  struct ThreadState {
    ClockId clock = 0;          // own slot included
    ClockId relaxed_reads = 0;  // what an acquire fence would bring
    ClockId release_fence = 0;  // clock at the last release fence
    ClockId barrier = 0;        // the round it waits to leave
    Slot slot = 0;
    Tick tick = 0;
    ThreadIndex next_in_round = kNoThread;
    bool released = false;            // others have the clock: the next access needs a new tick
    std::uint64_t waiting_mutex = 0;  // released by a condition wait
  };
  // One place in memory that threads synchronise by.
  struct SyncPlace {
    ClockId released = 0;  // what an acquire brings: lock holders, posts, release sequences, the end of an initialiser
    ClockId shared = 0;    // rwlock: readers that unlocked; barrier: arrivals of the round that fills
    ThreadIndex holder = kNoThread;  // rwlock: writer; barrier: last arrival of the round
    // `released` is the clock of this slot at this tick, by an atomic: the first that the slot has given away with the
    // tick, so whoever knows the tick knows all of it. Tick 0: nobody can say.
    Epoch by{};
  };

  // A place that was asked for lately.
  struct RecentPlace {
    std::uint64_t key = 0;
    SyncPlace* place = nullptr;  // nullptr: none was
  };
  static constexpr std::size_t kRecent = 16;
  static std::size_t recent_of(std::uint64_t key) { return (key >> 32 ^ key >> 6 ^ key >> 3) % kRecent; }

  ThreadState& thread(ThreadIndex index);
  // Without asking whether it is the thread of the event before: who runs next is what nobody can foretell, the
  // processor included.
  ThreadState& enter(ThreadIndex index) {
    ThreadState* const known = index < kNear ? near_[index] : threads_.find(index);
    current_ = known != nullptr ? known : &enter_new(index);
    return *current_;
  }
  ThreadState& enter_new(ThreadIndex index);
  Epoch other_event(ThreadState& t, const Event& e);
  // nullptr: no room for one more.
  SyncPlace* place(std::uint64_t key) {
    const RecentPlace& recent = recent_[recent_of(key)];
    return recent.key == key && recent.place != nullptr ? recent.place : find_place(key);
  }
  SyncPlace* find_place(std::uint64_t key);
  // What the thread accesses from now on is not known to those who have its clock so far. Left until there is an
  // access: clocks of threads that only synchronise stay equal.
  void advance(ThreadState& t) {
    t.released = false;
    clocks_.set(t.clock, t.slot, ++t.tick);
  }
  void create(ThreadState& parent, const Event& e);
  void end(ThreadState& t);
  void join_thread(ThreadState& t, const Event& e);
  void lifecycle(ThreadState& t, const Event& e);
  void atomic(ThreadState& t, const Event& e);
  void read_part(ThreadState& t, const SyncPlace& p, int order) {
    if (is_acquire(order)) {
      if (!knows_release(t, p)) clocks_.join(t.clock, p.released);
    } else if (p.released != 0) {
      clocks_.join(t.relaxed_reads, p.released);
    }
  }
  // Asked before clocks that are not small are joined.
  [[nodiscard]] bool knows_release(const ThreadState& t, const SyncPlace& p) const {
    return !ClockPool::is_leaf(p.released) && p.by.tick != 0 && p.by.tick <= clocks_.get(t.clock, p.by.slot);
  }
  void fence(ThreadState& t, int order);
  void synchronise(ThreadState& t, const Event& e);
  void forget(std::uint64_t key);

  CausalityOptions options_;
  std::pmr::memory_resource& memory_;
  ClockPool clocks_;
  SparseArray<ThreadState> threads_;
  Pool<SyncPlace> places_;
  PlaceMap index_;
  Tick* last_tick_;   // of the last thread in a slot
  Slot* free_slots_;  // slots of ended threads
  std::uint32_t free_count_ = 0;
  Slot next_slot_ = 0;
  std::bitset<4096> sync_objects_;  // objects (by the low bits) that hold a sync place: spares plain writes a search
  RecentPlace recent_[kRecent] = {};
  bool exhausted_ = false;
  static constexpr std::uint32_t kNear = 16;
  ThreadState* near_[kNear] = {};   // the first threads; nullptr: has not come by yet
  ThreadState* current_ = nullptr;  // of the last event
};

}  // namespace ravel
