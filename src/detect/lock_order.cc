// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/lock_order.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "detect/lifecycle_order.h"
#include "semantics/wait_kinds.h"

namespace ravel {
namespace {

bool needs_lock(OpKind kind) {
  return waits_for_lock(kind) || kind == OpKind::kCondReacquire;
}

}  // namespace

LockOrder::LockOrder(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      lifecycle_(memory, lifecycle_options()),
      threads_(memory, kDetectorThreads),
      semaphores_(memory, 1u << 6, 1u << 14),
      steps_(static_cast<Step*>(memory.allocate(sizeof(Step) * kMaxSteps, alignof(Step)))),
      epochs_(static_cast<Epoch*>(memory.allocate(sizeof(Epoch) * kMaxSteps, alignof(Epoch)))) {}

void LockOrder::begin(const TraceView&) {
  lifecycle_.begin();
  threads_.clear();
  semaphores_.clear();
  count_ = 0;
  truncated_ = false;
}

void LockOrder::on_event(const Event& e, const Moment& at) {
  if (op_class(e.kind) == OpClass::kLifecycle) {
    lifecycle_.on_event(e);
    return;
  }
  switch (e.kind) {
    case OpKind::kSemInit:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
      return semaphore(e, at);
    case OpKind::kCondWait:
      return wait(e, at);
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return signal(e);
    default:
      break;
  }
  const LockHold* taken = locks_.just_taken();
  if (taken == nullptr) return;
  if (OfThread* own = of(e.thread); own != nullptr && own->taken < kMostTaken) {
    RoleRecord& take = own->take[own->taken++];
    take = {e, at.sequence};
    take.event.object = static_cast<ObjectId>(taken->place >> 32);
    take.event.offset = static_cast<std::uint32_t>(taken->place);
  }
  if (needs_lock(e.kind)) add(e, at.sequence, {taken->place, taken->shared}, 0);
}

LockOrder::OfThread* LockOrder::of(ThreadIndex thread) {
  if (OfThread* known = threads_.find(thread)) return known;
  return thread < threads_.capacity() ? &threads_.insert(thread, OfThread{}) : nullptr;
}

void LockOrder::semaphore(const Event& e, const Moment& at) {
  std::uint32_t* use = semaphores_.claim(place_of(e));
  OfThread* own = of(e.thread);
  if (use == nullptr || own == nullptr) {
    truncated_ = true;
    return;
  }
  if (e.kind == OpKind::kSemInit) {
    *use = e.value == 1 ? kLockUse : kSignalUse;
    return;
  }
  // Of one that was made while nobody watched: it had one token, and the first to use it took that.
  const bool took_one = e.kind != OpKind::kSemPost && e.value == 0 && (e.bits & kHadToWait) == 0;
  if (*use == kUnknownUse && !e.failed()) *use = took_one ? kLockUse : kSignalUse;
  if (e.failed() || (e.bits & kTimeout) != 0 || *use != kLockUse) return;
  std::uint32_t held = 0;
  while (held < own->held && own->held_semaphore[held] != place_of(e)) ++held;
  if (e.kind == OpKind::kSemPost) {
    if (held == own->held) {  // not by who waited: a signal
      *use = kSignalUse;
      return;
    }
    own->held_semaphore[held] = own->held_semaphore[--own->held];
    return;
  }
  if (held != own->held) return;
  if (e.kind == OpKind::kSemWait) add(e, at.sequence, {place_of(e), false}, 0);
  if (own->held == kMostHeld) {
    truncated_ = true;
    return;
  }
  own->held_semaphore[own->held++] = place_of(e);
}

// Its own mutex it gives back; what else it holds, it holds while it waits.
void LockOrder::wait(const Event& e, const Moment& at) {
  add(e, at.sequence, {place_of(e), false}, 0);
}

void LockOrder::signal(const Event& e) {
  const OfThread* own = threads_.find(e.thread);
  if (own == nullptr) return;
  for (std::uint32_t i = 0; i < own->taken; ++i) {
    const RoleRecord& take = own->take[i];
    add(take.event, take.sequence, {place_of(take.event), false}, place_of(e));
  }
}

void LockOrder::add(const Event& e, std::uint64_t sequence, Lock lock, std::uint64_t also) {
  const std::span<const LockHold> held = locks_.of(e.thread);
  const OfThread* own = threads_.find(e.thread);
  const std::uint32_t semaphores = own == nullptr ? 0 : own->held;
  std::uint32_t others = semaphores + (also != 0 ? 1 : 0);
  for (const LockHold& one : held) others += one.place != lock.place ? 1 : 0;
  if (others == 0) return;
  Event access = e;  // as an access, it gets a time of its own after each creation of a thread
  access.kind = OpKind::kRead;
  const Epoch epoch = lifecycle_.on_event(access);
  std::uint64_t same = hash_combine(hash_combine(lock.place, e.thread), e.location);
  same = hash_combine(hash_combine(same, also), (std::uint64_t{epoch.slot} << 32) | epoch.tick);
  for (const LockHold& one : held) same = hash_combine(same, one.place * 2 + one.shared);
  for (std::uint32_t i = 0; i < semaphores; ++i) same = hash_combine(same, own->held_semaphore[i]);
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (steps_[i].same == same) return;
  }
  if (count_ == kMaxSteps) {
    truncated_ = true;
    return;
  }
  Step& step = *new (&steps_[count_]) Step{};
  step.wanted = e;
  step.sequence = sequence;
  step.same = same;
  step.lock = lock;
  if (also != 0) {
    step.held_lock[step.held++] = {also,
                                   false};  // what it holds at the signal, it need not hold when it wants the lock
  } else {
    for (const LockHold& one : held) {
      if (one.place != lock.place) step.held_lock[step.held++] = {one.place, one.shared};
    }
    for (std::uint32_t i = 0; i < semaphores; ++i) step.held_lock[step.held++] = {own->held_semaphore[i], false};
  }
  for (std::uint32_t i = 0; i < count_; ++i) step.before[i] = lifecycle_.ordered(epochs_[i]);
  epochs_[count_++] = epoch;
}

// Semaphores that turned out to be signals are none.
bool LockOrder::is_used_as_lock(const Step& step) const {
  if (semaphores_.find(step.lock.place) == kSignalUse) return false;
  for (std::uint32_t i = 0; i < step.held; ++i) {
    if (semaphores_.find(step.held_lock[i].place) == kSignalUse) return false;
  }
  return true;
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
    if (!follows(steps_[last], steps_[next]) || !is_used_as_lock(steps_[next])) continue;
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

void LockOrder::finish(const TraceView&) {
  visited_ = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!is_used_as_lock(steps_[i])) continue;
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
