// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/livelock.h"

#include "base/hash.h"
#include "detect/access_class.h"
#include "detect/detector_table.h"
#include "semantics/wait_kinds.h"

namespace ravel {
namespace {

bool same_step(const Event& a, const Event& b) {
  return a.kind == b.kind && a.thread == b.thread && a.location == b.location && place_of(a) == place_of(b);
}

// Changes what others look at.
bool changes(const Event& e) {
  return is_write(access_class(e)) || e.kind == OpKind::kMutexLock || e.kind == OpKind::kMutexUnlock ||
         (e.kind == OpKind::kMutexTryLock && !e.failed());
}

bool looks(const Event& e) {
  const AccessClass access = access_class(e);
  return access == AccessClass::kPlainRead || access == AccessClass::kAtomicRead || e.kind == OpKind::kAtomicRmw ||
         e.kind == OpKind::kMutexTryLock;
}

bool takes(const Event& e) {
  return !e.failed() && (e.kind == OpKind::kMutexLock || e.kind == OpKind::kMutexTryLock ||
                         e.kind == OpKind::kRwReadLock || e.kind == OpKind::kRwWriteLock);
}

}  // namespace

Livelock::Livelock(std::pmr::memory_resource& memory, const Services& services)
    : sink_(services.sink), tail_(static_cast<Event*>(memory.allocate(sizeof(Event) * kWindow, alignof(Event)))) {}

std::uint32_t Livelock::steps(std::uint32_t* last) const {
  std::uint32_t times[kMostSteps] = {};
  std::uint32_t count = 0;
  if (known() < kWindow) return 0;
  for (std::uint32_t i = 0; i < kWindow; ++i) {
    std::uint32_t k = 0;
    while (k < count && !same_step(from_end(last[k]), from_end(i))) ++k;
    if (k == kMostSteps) return 0;
    if (k == count) last[count++] = i;
    ++times[k];
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    if (times[k] < kRounds) return 0;
  }
  return count;
}

void Livelock::look_for_livelock() {
  std::uint32_t last[kMostSteps];
  const std::uint32_t count = steps(last);
  const auto looks_at = [&](ThreadIndex thread, std::uint64_t place) {
    for (std::uint32_t n = 0; n < count; ++n) {
      const Event& e = from_end(last[n]);
      if (e.thread == thread && place_of(e) == place && looks(e)) return true;
    }
    return false;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const Event& first = from_end(last[i]);
    if (!changes(first)) continue;
    for (std::uint32_t k = 0; k < count; ++k) {
      const Event& second = from_end(last[k]);
      if (second.thread <= first.thread || !changes(second)) continue;
      if (!looks_at(first.thread, place_of(second)) || !looks_at(second.thread, place_of(first))) continue;
      const RoleRecord roles[2] = {{first, events_ - 1 - last[i]}, {second, events_ - 1 - last[k]}};
      report(kLivelock, OutcomeKind::kLivelock, roles, 2, count);
      return;
    }
  }
}

void Livelock::look_for_starvation(const WaitingRecord& waiting) {
  std::uint32_t times = 0;
  RoleRecord roles[2] = {};
  for (std::uint32_t i = 0; i < known(); ++i) {
    const Event& e = from_end(i);
    if (e.thread == waiting.thread) break;  // it waits since then
    if (!takes(e) || e.object != waiting.object || e.offset != waiting.offset) continue;
    if (times++ == 0) roles[1] = {e, events_ - 1 - i};
  }
  if (times < kOvertaken) return;
  Event& wish = roles[0].event;
  wish.kind = waiting.wants;
  wish.thread = waiting.thread;
  wish.object = waiting.object;
  wish.offset = waiting.offset;
  wish.location = waiting.location;
  wish.context = waiting.context;
  roles[0].sequence = events_;
  report(kStarvation, OutcomeKind::kStarvation, roles, 2, times);
}

void Livelock::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  if (result.outcome != OutcomeKind::kStepLimit || events_ == 0) return;
  look_for_livelock();
  const std::uint32_t waiting = result.waiting < kMaxWaiting ? result.waiting : kMaxWaiting;
  for (std::uint32_t i = 0; i < waiting; ++i) {
    const WaitingRecord& record = result.waiting_table[i];
    if (waits_for_lock(record.wants)) look_for_starvation(record);
  }
}

void Livelock::report(Variant variant, OutcomeKind kind, const RoleRecord* roles, std::uint8_t count,
                      std::uint32_t number) {
  DetectionRecord found;
  found.kind = kind;
  found.detector = static_cast<std::uint8_t>(DetectorId::kLivelock);
  found.variant = variant;
  found.number = number;
  found.roles = count;
  std::uint64_t sum = 0;  // in any order
  for (std::uint8_t i = 0; i < count; ++i) {
    found.role[i] = roles[i];
    sum += mix64(roles[i].event.location);
  }
  found.key = hash_combine(hash_combine(detector_bit(DetectorId::kLivelock), variant), sum);
  sink_.on_detection(found);
}

}  // namespace ravel
