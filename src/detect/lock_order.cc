// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/lock_order.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/wait_kinds.h"

namespace ravel {
namespace {

CausalityOptions lifecycle_options() {
  CausalityOptions options;
  options.max_threads = kDetectorThreads;
  options.max_clock_nodes = 1u << 16;
  options.max_sync_places = 16;
  options.lifecycle_only = true;
  return options;
}

bool needs_lock(OpKind kind) {
  return waits_for_lock(kind) || kind == OpKind::kCondReacquire;
}

}  // namespace

LockOrder::LockOrder(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      lifecycle_(memory, lifecycle_options()),
      steps_(static_cast<Step*>(memory.allocate(sizeof(Step) * kMaxSteps, alignof(Step)))),
      epochs_(static_cast<Epoch*>(memory.allocate(sizeof(Epoch) * kMaxSteps, alignof(Epoch)))) {}

void LockOrder::begin(const TraceView&) {
  lifecycle_.begin();
  count_ = 0;
  truncated_ = false;
}

void LockOrder::on_event(const Event& e, const Moment& at) {
  if (op_class(e.kind) == OpClass::kLifecycle) {
    lifecycle_.on_event(e);
    return;
  }
  if (!needs_lock(e.kind)) return;
  const LockHold* taken = locks_.just_taken();
  if (taken == nullptr) return;
  const std::span<const LockHold> held = locks_.of(e.thread);
  if (held.size() < 2) return;
  Event access = e;  // as an access, it gets a time of its own after each creation of a thread
  access.kind = OpKind::kRead;
  const Epoch epoch = lifecycle_.on_event(access);
  std::uint64_t same = hash_combine(hash_combine(taken->place, e.thread), e.location);
  same = hash_combine(same, (std::uint64_t{epoch.slot} << 32) | epoch.tick);
  for (const LockHold& lock : held) same = hash_combine(same, lock.place * 2 + lock.shared);
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (steps_[i].same == same) return;
  }
  if (count_ == kMaxSteps) {
    truncated_ = true;
    return;
  }
  Step& step = *new (&steps_[count_]) Step{};
  step.wanted = e;
  step.sequence = at.sequence;
  step.same = same;
  step.lock = {taken->place, taken->shared};
  for (const LockHold& lock : held) {
    if (lock.place != taken->place) step.held_lock[step.held++] = {lock.place, lock.shared};
  }
  for (std::uint32_t i = 0; i < count_; ++i) step.before[i] = lifecycle_.ordered(epochs_[i]);
  epochs_[count_++] = epoch;
}

// What b holds is what a wants.
bool LockOrder::follows(const Step& a, const Step& b) {
  for (std::uint32_t i = 0; i < b.held; ++i) {
    if (b.held_lock[i].place == a.lock.place) return !(a.lock.shared && b.held_lock[i].shared);
  }
  return false;
}

// Both may stand there at the same time.
bool LockOrder::compatible(std::uint32_t a, std::uint32_t b) const {
  const Step& x = steps_[a];
  const Step& y = steps_[b];
  if (x.wanted.thread == y.wanted.thread || (a < b ? y.before[a] : x.before[b])) return false;
  for (std::uint32_t i = 0; i < x.held; ++i) {
    for (std::uint32_t j = 0; j < y.held; ++j) {
      const bool common = x.held_lock[i].place == y.held_lock[j].place;
      if (common && !(x.held_lock[i].shared && y.held_lock[j].shared)) return false;
    }
  }
  return true;
}

void LockOrder::search(std::uint32_t length) {
  const std::uint32_t last = path_[length - 1];
  for (std::uint32_t next = path_[0]; next < count_; ++next) {  // a circle begins with its lowest step
    if (++visited_ > kMaxSearch) {
      truncated_ = true;
      return;
    }
    if (!follows(steps_[last], steps_[next])) continue;
    if (next == path_[0]) {
      if (length >= 2) report(length);
      continue;
    }
    bool fits = length < kMaxRoles;
    for (std::uint32_t i = 0; i < length && fits; ++i) fits = compatible(path_[i], next);
    if (!fits) continue;
    path_[length] = next;
    search(length + 1);
  }
}

void LockOrder::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  (void)result;
  visited_ = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    path_[0] = i;
    search(1);
  }
}

void LockOrder::report(std::uint32_t length) {
  DetectionRecord found;
  found.kind = OutcomeKind::kPotentialDeadlock;
  found.detector = static_cast<std::uint8_t>(DetectorId::kLockOrder);
  found.variant = length == 2 ? 0 : 1;
  found.number = length;
  found.roles = static_cast<std::uint8_t>(length);
  std::uint64_t sum = length;  // wherever the circle begins
  for (std::uint32_t i = 0; i < length; ++i) {
    const Step& step = steps_[path_[i]];
    found.role[i] = {step.wanted, step.sequence};
    // The lock that a condition wait takes again is not what its event is about.
    found.role[i].event.object = static_cast<ObjectId>(step.lock.place >> 32);
    found.role[i].event.offset = static_cast<std::uint32_t>(step.lock.place);
    sum += mix64(step.wanted.location);
  }
  found.key = hash_combine(detector_bit(DetectorId::kLockOrder), sum);
  sink_.on_detection(found);
}

}  // namespace ravel
