// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/blocked.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/wait_kinds.h"

namespace ravel {
namespace {

template <class T>
T* make(std::pmr::memory_resource& memory, std::uint32_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

std::uint64_t place_of(const WaitingRecord& waiting) {
  return (std::uint64_t{waiting.object} << 32) | waiting.offset;
}

std::uint32_t waiting_in(const ExecutionResult& result) {
  return result.waiting < kMaxWaiting ? result.waiting : kMaxWaiting;
}

}  // namespace

Blocked::Blocked(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      taken_(make<RoleRecord>(memory, kMaxTaken)),
      ends_(make<RoleRecord>(memory, kMaxEnds)),
      wakers_(make<std::uint64_t>(memory, kMaxWakers)),
      throws_(make<RoleRecord>(memory, kMaxThrows)) {}

void Blocked::begin(const TraceView&) {
  taken_count_ = end_count_ = waker_count_ = throw_count_ = 0;
  events_ = 0;
  truncated_ = false;
}

void Blocked::on_event(const Event& e, const Moment& at) {
  events_ = at.sequence + 1;
  if (e.kind == OpKind::kThreadEnd) {
    if (end_count_ < kMaxEnds)
      ends_[end_count_++] = {e, at.sequence};
    else
      truncated_ = true;
  } else if (e.kind == OpKind::kThrow) {
    throws_[throw_count_++ % kMaxThrows] = {e, at.sequence};
  } else if (wakes(e.kind)) {
    const std::uint64_t place = ravel::place_of(e);
    for (std::uint32_t i = 0; i < waker_count_; ++i) {
      if (wakers_[i] == place) return;
    }
    if (waker_count_ < kMaxWakers)
      wakers_[waker_count_++] = place;
    else
      truncated_ = true;
  } else if ((e.kind == OpKind::kMutexLock || e.kind == OpKind::kMutexTryLock) && !e.failed()) {
    for (std::uint32_t i = 0; i < taken_count_; ++i) {
      const Event& known = taken_[i].event;
      if (known.thread == e.thread && known.location == e.location && ravel::place_of(known) == ravel::place_of(e)) {
        taken_[i].sequence = at.sequence;
        return;
      }
    }
    if (taken_count_ < kMaxTaken)
      taken_[taken_count_++] = {e, at.sequence};
    else
      truncated_ = true;
  }
}

const RoleRecord* Blocked::end_of(ThreadIndex thread) const {
  for (std::uint32_t i = 0; i < end_count_; ++i) {
    if (ends_[i].event.thread == thread) return &ends_[i];
  }
  return nullptr;
}

// What the thread was about to do, as an event behind the last one.
RoleRecord Blocked::wish_of(const WaitingRecord& waiting) const {
  RoleRecord wish;
  wish.event.kind = waiting.wants;
  wish.event.thread = waiting.thread;
  wish.event.object = waiting.object;
  wish.event.offset = waiting.offset;
  wish.event.location = waiting.location;
  wish.event.context = waiting.context;
  wish.sequence = events_;
  return wish;
}

void Blocked::wants_lock(const WaitingRecord& waiting) {
  const std::uint64_t place = place_of(waiting);
  RoleRecord roles[2] = {wish_of(waiting), {}};
  for (const LockHold& lock : locks_.of(waiting.holder)) {
    if (lock.place != place) continue;
    roles[1] = {lock.taken, lock.sequence};
    if (waiting.holder == waiting.thread) {
      report(kOwnLock, roles, 2);
    } else if (end_of(waiting.holder) != nullptr) {
      report(kHolderEnded, roles, 2);
    }
    return;
  }
  if (waiting.wants != OpKind::kMutexLock || waiting.held_since == 0) return;
  const RoleRecord* original = nullptr;
  for (std::uint32_t i = 0; i < taken_count_; ++i) {
    const Event& taken = taken_[i].event;
    if (taken.thread != waiting.holder) continue;
    if (ravel::place_of(taken) == place) return;
    if (taken.location == waiting.held_since) original = &taken_[i];
  }
  if (original == nullptr) return;
  roles[1] = *original;
  report(kCopied, roles, 2);
}

void Blocked::wants_signal(const WaitingRecord& waiting, const ExecutionResult& result) {
  const std::span<const LockHold> held = locks_.of(waiting.thread);
  RoleRecord roles[3] = {wish_of(waiting), {}, {}};
  bool only_joins = true;
  for (std::uint32_t i = 0; i < waiting_in(result); ++i) {
    const WaitingRecord& other = result.waiting_table[i];
    if (other.thread == waiting.thread) continue;
    only_joins = only_joins && (other.wants == OpKind::kThreadJoin || waits_for_wake(other.wants));
    if (!waits_for_lock(other.wants) || other.holder != waiting.thread) continue;
    for (const LockHold& lock : held) {
      if (lock.place != place_of(other)) continue;
      roles[1] = {lock.taken, lock.sequence};
      roles[2] = wish_of(other);
      report(kNestedMonitor, roles, 3);
      return;
    }
  }
  if (!only_joins || end_count_ == 0) return;
  for (std::uint32_t i = 0; i < waker_count_; ++i) {
    if (wakers_[i] == place_of(waiting)) return;
  }
  if (const RoleRecord* thrown = throw_of_ended(); thrown != nullptr) {
    roles[1] = *thrown;
    report(kOrphanedByThrow, roles, 2, end_count_);
    return;
  }
  roles[1] = ends_[end_count_ - 1];
  report(kOrphaned, roles, 2, end_count_);
}

// The last exception of a thread that has ended.
const RoleRecord* Blocked::throw_of_ended() const {
  const std::uint32_t known = throw_count_ < kMaxThrows ? throw_count_ : kMaxThrows;
  for (std::uint32_t i = 1; i <= known; ++i) {
    const RoleRecord& thrown = throws_[(throw_count_ - i) % kMaxThrows];
    if (end_of(thrown.event.thread) != nullptr) return &thrown;
  }
  return nullptr;
}

void Blocked::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  if (result.outcome != OutcomeKind::kDeadlock || truncated_ || !locks_.complete()) return;
  for (std::uint32_t i = 0; i < waiting_in(result); ++i) {
    const WaitingRecord& waiting = result.waiting_table[i];
    const bool held = waiting.holder != kNoThread && waiting.role == HolderRole::kOwner;
    if (waits_for_lock(waiting.wants) && held) wants_lock(waiting);
    if (waits_for_wake(waiting.wants) && waiting.spinning == 0) wants_signal(waiting, result);
  }
}

void Blocked::report(Variant variant, const RoleRecord* roles, std::uint8_t count, std::uint32_t number) {
  DetectionRecord found;
  found.kind = OutcomeKind::kBlockedThread;
  found.detector = static_cast<std::uint8_t>(DetectorId::kBlocked);
  found.variant = variant;
  found.number = number;
  found.roles = count;
  found.key = hash_combine(detector_bit(DetectorId::kBlocked), variant);
  for (std::uint8_t i = 0; i < count; ++i) {
    found.role[i] = roles[i];
    // Who ended last may differ.
    if (variant != kOrphaned || i == 0) found.key = hash_combine(found.key, roles[i].event.location);
  }
  sink_.on_detection(found);
}

}  // namespace ravel
