// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads and dispatch; atomics and fences are in atomics.cc, locks and the like in synchronisation.cc.
#include "causality/causality.h"

namespace ravel {

namespace {
constexpr std::uint32_t kSlotsTried = 16;
}

Causality::Causality(std::pmr::memory_resource& memory, const CausalityOptions& options)
    : options_(options),
      memory_(memory),
      clocks_(memory, options.max_clock_nodes),
      threads_(memory, options.max_threads),
      places_(memory, options.max_sync_places),
      index_(memory, 1u << 10, options.max_sync_places * 2),
      last_tick_(static_cast<Tick*>(memory.allocate(sizeof(Tick) * options.max_threads, 16))),
      free_slots_(static_cast<Slot*>(memory.allocate(sizeof(Slot) * options.max_threads, 16))) {
  begin();
}

Causality::~Causality() {
  memory_.deallocate(last_tick_, sizeof(Tick) * options_.max_threads, 16);
  memory_.deallocate(free_slots_, sizeof(Slot) * options_.max_threads, 16);
}

void Causality::begin() {
  clocks_.clear();
  threads_.clear();
  places_.clear();
  index_.clear();
  sync_objects_.reset();
  for (RecentPlace& recent : recent_) recent = {};
  free_count_ = 0;
  next_slot_ = 0;
  exhausted_ = false;
  for (ThreadState*& state : near_) state = nullptr;
  enter(0);
}

Causality::ThreadState& Causality::enter_new(ThreadIndex index) {
  ThreadState& state = thread(index);
  if (index < kNear) near_[index] = &state;
  return state;
}

// A thread that nobody created (main, or one that came from outside) starts unordered with everything.
Causality::ThreadState& Causality::thread(ThreadIndex index) {
  if (ThreadState* known = threads_.find(index)) return *known;
  if (index >= threads_.capacity()) {
    exhausted_ = true;
    return thread(0);
  }
  ThreadState fresh;
  if (next_slot_ < options_.max_threads) {
    fresh.slot = next_slot_++;
  } else {
    exhausted_ = true;
  }
  fresh.tick = 1;
  clocks_.set(fresh.clock, fresh.slot, fresh.tick);
  return threads_.insert(index, fresh);
}

void Causality::create(ThreadState& parent, const Event& e) {
  const auto child = static_cast<ThreadIndex>(e.value);
  if (child >= threads_.capacity()) {
    exhausted_ = true;
    return;
  }
  if (threads_.find(child) != nullptr) return;
  ThreadState fresh;
  fresh.clock = clocks_.share(parent.clock);
  bool reused = false;
  for (std::uint32_t i = free_count_; i > 0 && free_count_ - i < kSlotsTried; --i) {
    const Slot slot = free_slots_[i - 1];
    if (clocks_.get(parent.clock, slot) < last_tick_[slot]) continue;
    free_slots_[i - 1] = free_slots_[--free_count_];
    fresh.slot = slot;
    fresh.tick = last_tick_[slot] + 1;
    reused = true;
    break;
  }
  if (!reused) {
    if (next_slot_ == options_.max_threads) {
      exhausted_ = true;
      return;
    }
    fresh.slot = next_slot_++;
    fresh.tick = 1;
  }
  clocks_.set(fresh.clock, fresh.slot, fresh.tick);
  threads_.insert(child, fresh);
  parent.released = true;
}

void Causality::end(ThreadState& t) {
  clocks_.drop(t.relaxed_reads);
  clocks_.drop(t.release_fence);
  clocks_.drop(t.barrier);
  last_tick_[t.slot] = t.tick;
  if (free_count_ < options_.max_threads) free_slots_[free_count_++] = t.slot;
}

// The joined thread's clock is kept until then, and no longer.
void Causality::join_thread(ThreadState& t, const Event& e) {
  if (e.failed() || (e.bits & kTimeout) != 0) return;
  ThreadState* other = threads_.find(static_cast<ThreadIndex>(e.value));
  if (other == nullptr || other == &t) return;
  clocks_.join(t.clock, other->clock);
  clocks_.drop(other->clock);
}

void Causality::lifecycle(ThreadState& t, const Event& e) {
  switch (e.kind) {
    case OpKind::kThreadCreate:
      if (!e.failed()) create(t, e);
      break;
    case OpKind::kThreadEnd:
      end(t);
      break;
    case OpKind::kThreadJoin:
      join_thread(t, e);
      break;
    default:
      break;
  }
}

Epoch Causality::other_event(ThreadState& t, const Event& e) {
  if (e.kind >= OpKind::kCount) return {};
  const OpClass cls = op_class(e.kind);
  // Under creation and joining alone, what synchronises is a use of memory like any other.
  const bool uses_memory =
      cls == OpClass::kAtomic || cls == OpClass::kHeap || (options_.lifecycle_only && cls == OpClass::kSync);
  if (t.released && uses_memory) advance(t);
  const Epoch epoch{t.slot, t.tick};
  switch (cls) {
    case OpClass::kLifecycle:
      lifecycle(t, e);
      break;
    case OpClass::kAtomic:
      if (!options_.lifecycle_only) fence(t, e.order());
      break;
    case OpClass::kSync:
      if (!options_.lifecycle_only) synchronise(t, e);
      break;
    default:
      break;
  }
  return epoch;
}

Causality::SyncPlace* Causality::find_place(std::uint64_t key) {
  std::uint32_t* number = index_.claim(key);
  if (number != nullptr && *number == 0) {
    *number = places_.add(SyncPlace{});
    sync_objects_.set((key >> 32) % sync_objects_.size());
  }
  if (number == nullptr || *number == 0) {
    exhausted_ = true;
    return nullptr;
  }
  SyncPlace* const found = &places_[*number];
  recent_[recent_of(key)] = {key, found};
  return found;
}

void Causality::forget(std::uint64_t key) {
  const std::uint32_t known = index_.find(key);
  if (known == 0) return;
  clocks_.drop(places_[known].released);
  places_[known].by = {};
  clocks_.drop(places_[known].shared);
  places_[known].holder = kNoThread;
}

}  // namespace ravel
