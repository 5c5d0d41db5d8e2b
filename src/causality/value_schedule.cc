// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "causality/value_schedule.h"

#include "base/hash.h"
#include "model/sequence.h"
#include "semantics/dependence.h"

namespace ravel {
namespace {

// Objects that have no location of their own.
constexpr std::uint64_t kDescriptors = ~std::uint64_t{0};
constexpr std::uint64_t kMail = ~std::uint64_t{1};

// Kinds whose Event::value is part of what happened.
bool outcome_in_value(OpKind kind) {
  return kind == OpKind::kRwUnlock || kind == OpKind::kBarrierArrive || kind == OpKind::kOnceBegin ||
         kind == OpKind::kPhaseArrive;
}

bool collects(OpKind kind) {
  return kind == OpKind::kThreadJoin || kind == OpKind::kThreadDetach;
}

}  // namespace

ValueSchedule::ValueSchedule(std::pmr::memory_resource& memory, const ValueScheduleLimits& limits)
    : cells_(memory, limits.cells),
      operations_(memory, limits.operations),
      users_(memory, limits.operations),
      objects_(memory, limits.cells),
      blocks_(memory, 2 * limits.cells),
      cell_index_(memory, 1u << 10, 2 * limits.cells),
      object_index_(memory, 1u << 8, 2 * limits.cells),
      block_index_(memory, 1u << 8, 4 * limits.cells),
      threads_(memory, limits.threads) {}

void ValueSchedule::begin(const TraceView& trace) {
  trace_ = trace;
  cells_.clear();
  operations_.clear();
  users_.clear();
  objects_.clear();
  blocks_.clear();
  cell_index_.clear();
  object_index_.clear();
  block_index_.clear();
  threads_.clear();
  thread_count_ = 0;
  sum_ = 0;
  truncated_ = false;
}

ValueSchedule::Thread* ValueSchedule::thread(ThreadIndex index) {
  if (Thread* const known = threads_.find(index)) return known;
  if (index >= threads_.capacity()) {
    truncated_ = true;
    return nullptr;
  }
  const LastingName lasting = thread_name_in(trace_.threads, index);
  if (index >= thread_count_) thread_count_ = index + 1;
  return &threads_.insert(index, {lasting == kNobody ? mix64(index + 1) : lasting, 0, 0, 0});
}

std::uint64_t ValueSchedule::name_of_place(std::uint64_t place) const {
  if (place >= kMail) return place;
  const LastingName lasting = place_name_in(trace_.threads, trace_.objects, place);
  return lasting == kNobody ? mix64(place) : lasting;
}

// An operation by itself: who, what, and how it ended.
std::uint64_t ValueSchedule::word_of(const Event& e) {
  const Thread* const self = thread(e.thread);
  if (self == nullptr) return 0;
  constexpr std::uint8_t kEnding = kFailed | kTimeout | kSpurious;
  std::uint64_t word = hash_combine(self->name, (static_cast<std::uint64_t>(e.kind) << 8) | (e.bits & kEnding));
  if (outcome_in_value(e.kind)) return hash_combine(word, e.value);
  if (e.kind != OpKind::kCondSignal) return word;
  if (static_cast<ThreadIndex>(e.value) == kNoThread) return hash_combine(word, 0);
  const Thread* const woken = thread(static_cast<ThreadIndex>(e.value));
  return woken == nullptr ? word : hash_combine(word, woken->name);
}

void ValueSchedule::add(const Event& e, std::uint64_t operand) {
  if (operand == kNoPoint || e.kind >= OpKind::kCount || e.kind == OpKind::kNone) return;
  const std::uint64_t word = word_of(e);
  Thread* const self = thread(e.thread);
  if (self == nullptr) return;
  ++self->points;
  if (e.kind == OpKind::kChoice) self->choices = hash_combine(self->choices, e.value);
  const OperationView view = view_of(e);
  switch (family_of(e.kind)) {
    case OpFamily::kNone:
      return;
    case OpFamily::kLifecycle:
      if (collects(e.kind)) {
        if (Thread* const target = thread(static_cast<ThreadIndex>(e.value))) ++target->collected;
      }
      return;
    case OpFamily::kMemory:
      return access(e, e.size, has_write_effect(e.kind, e.bits), word);
    case OpFamily::kHeap:
      if (e.kind == OpKind::kHeapFree) free_block(e, word);
      return;
    case OpFamily::kExit:
      return reach(word, kNoThread);
    case OpFamily::kIo:
      return operate(kDescriptors, view, word);
    case OpFamily::kSignal:
      if (e.kind == OpKind::kSignalSend || e.kind == OpKind::kCancel) reach(word, e.value);
      return operate(kMail, view, word);
    case OpFamily::kOnce:  // compiled code reads the guard by itself
      if (e.kind != OpKind::kOnceBegin) access(e, 1, true, word);
      return operate(view.place, view, word);
    case OpFamily::kFutex:
      if (e.kind == OpKind::kFutexWait) access(e, kFutexWordBytes, false, word);
      return operate(view.place, view, word);
    case OpFamily::kCond:
      if (e.kind == OpKind::kCondWait || e.kind == OpKind::kCondReacquire) operate(e.value, view, word);
      return operate(view.place, view, word);
    default:
      return operate(view.place, view, word);
  }
}

// A signal, a cancellation or the end of the process is ordered with everything that its target does.
void ValueSchedule::reach(std::uint64_t word, std::uint64_t target) {
  if (static_cast<ThreadIndex>(target) != kNoThread) return reach_one(word, static_cast<ThreadIndex>(target));
  for (ThreadIndex i = 0; i < thread_count_; ++i) reach_one(word, i);
}
void ValueSchedule::reach_one(std::uint64_t word, ThreadIndex target) {
  const Thread* const other = thread(target);
  if (other == nullptr) return;
  sum_ += hash_combine(hash_combine(hash_combine(word, other->name), other->points), other->collected);
}

// The last conflicting operation of every other thread.
void ValueSchedule::enter(Object& object, const OperationView& op, std::uint64_t word) {
  std::uint32_t mine = 0;
  for (std::uint32_t i = object.users; i != 0 && mine == 0; i = users_[i].next) {
    if (users_[i].thread == op.thread) mine = i;
  }
  if (mine == 0) {
    mine = users_.add({op.thread, 0, object.users});
    if (mine == 0) {
      truncated_ = true;
      return;
    }
    object.users = mine;
  }
  const std::uint32_t before = users_[mine].last;
  const std::uint32_t number = before == 0 ? 1 : operations_[before].number + 1;
  const std::uint64_t self = hash_combine(word, number);
  object.sum += self;
  for (std::uint32_t i = object.users; i != 0; i = users_[i].next) {
    if (i == mine) continue;
    std::uint32_t other = users_[i].last;
    while (other != 0 && !dependent(operations_[other].view, op)) other = operations_[other].previous;
    const Thread* const whose = thread(users_[i].thread);
    if (other == 0 || whose == nullptr) continue;
    object.sum += hash_combine(hash_combine(self, whose->name), operations_[other].number);
  }
  const std::uint32_t entry = operations_.add({op, number, before});
  if (entry == 0) {
    truncated_ = true;
  } else {
    users_[mine].last = entry;
  }
}

void ValueSchedule::operate(std::uint64_t place, const OperationView& op, std::uint64_t word) {
  if (Object* const object = object_at(place)) enter(*object, op, word);
}

std::uint64_t ValueSchedule::hash() {
  std::uint64_t sum = sum_;
  for (std::uint32_t i = 1; i <= cells_.live(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.shared && cell.written) sum += hash_combine(name_of_place(cell.place), value_of(cell));
  }
  for (std::uint32_t i = 1; i <= objects_.live(); ++i) {
    const Object& object = objects_[i];
    const bool shared = object.users != 0 && users_[object.users].next != 0;
    if (shared) sum += hash_combine(name_of_place(object.place), object.sum);
  }
  for (ThreadIndex i = 0; i < thread_count_; ++i) {
    const Thread* const known = threads_.find(i);
    if (known != nullptr && known->choices != 0) sum += hash_combine(known->name, known->choices);
  }
  return mix64(sum);
}

std::uint64_t ValueSchedule::of(const TraceView& trace) {
  begin(trace);
  const std::uint64_t all = trace.result->events.load(std::memory_order_relaxed);
  if (all > trace.events.size()) truncated_ = true;  // the oldest are gone
  const std::uint64_t first = all > trace.events.size() ? all - trace.events.size() : 0;
  for (std::uint64_t i = first; i < all; ++i) add(trace.events[i % trace.events.size()], trace.operand(i));
  return hash();
}

}  // namespace ravel
