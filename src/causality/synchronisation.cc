// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The edges of semantics/edges.h as clocks.
#include "causality/causality.h"
#include "semantics/edges.h"

namespace ravel {

// What one event's edges do to the clocks.
struct Causality::ClockEdges {
  Causality& all;
  ThreadState& self;
  ThreadIndex thread;

  void new_object(std::uint64_t key) { all.forget(key); }
  void take(std::uint64_t key) {
    if (const SyncPlace* p = all.place(key)) all.clocks_.join(self.clock, p->released);
  }
  void give(std::uint64_t key) {
    SyncPlace* p = all.place(key);
    if (p == nullptr) return;
    all.clocks_.assign(p->released, self.clock);
    p->by = {};
    self.released = true;
  }
  void add(std::uint64_t key) {
    SyncPlace* p = all.place(key);
    if (p == nullptr) return;
    all.clocks_.join(p->released, self.clock);
    p->by = {};
    self.released = true;
  }
  void wait_with(std::uint64_t mutex) {
    self.waiting_mutex = mutex;
    give(mutex);
  }
  void resume() { take(self.waiting_mutex); }

  void reader(std::uint64_t key) { take(key); }
  void writer(std::uint64_t key) {
    SyncPlace* p = all.place(key);
    if (p == nullptr) return;
    all.clocks_.join(self.clock, p->released);
    all.clocks_.join(self.clock, p->shared);
    all.clocks_.drop(p->shared);
    p->holder = thread;
  }
  void leave_lock(std::uint64_t key) {
    SyncPlace* p = all.place(key);
    if (p == nullptr) return;
    if (p->holder == thread) {
      p->holder = kNoThread;
      all.clocks_.assign(p->released, self.clock);
      p->by = {};
    } else {
      all.clocks_.join(p->shared, self.clock);
    }
    self.released = true;
  }

  // The arrivals of a round are linked; the one that fills it gives each of them the round's clock, so that slow
  // leavers do not learn from arrivals of the next round.
  void arrive(std::uint64_t key, bool fills) {
    SyncPlace* p = all.place(key);
    if (p == nullptr) return;
    all.clocks_.join(p->shared, self.clock);
    self.next_in_round = p->holder;
    p->holder = thread;
    self.released = true;
    if (!fills) return;
    for (ThreadIndex i = p->holder; i != kNoThread;) {
      ThreadState& arrived = all.thread(i);
      all.clocks_.assign(arrived.barrier, p->shared);
      i = arrived.next_in_round;
      arrived.next_in_round = kNoThread;
    }
    p->holder = kNoThread;
    all.clocks_.drop(p->shared);
  }
  void leave() {
    all.clocks_.join(self.clock, self.barrier);
    all.clocks_.drop(self.barrier);
  }
};

void Causality::synchronise(ThreadState& t, const Event& e) {
  ClockEdges edges{*this, t, e.thread};
  follow_edges(e, edges);
}

}  // namespace ravel
