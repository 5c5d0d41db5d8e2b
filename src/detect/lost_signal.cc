// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/lost_signal.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {
namespace {

bool is_signal(OpKind kind) {
  return kind == OpKind::kCondSignal || kind == OpKind::kCondBroadcast;
}

bool woke_nobody(const Event& signal) {
  return signal.kind == OpKind::kCondSignal ? static_cast<ThreadIndex>(signal.value) == kNoThread : signal.value == 0;
}

RoleRecord* make_roles(std::pmr::memory_resource& memory, std::uint32_t count) {
  return static_cast<RoleRecord*>(memory.allocate(sizeof(RoleRecord) * count, alignof(RoleRecord)));
}

}  // namespace

LostSignal::LostSignal(std::pmr::memory_resource& memory, const Services& services)
    : sink_(services.sink),
      looks_(memory, services.locks),
      signals_(make_roles(memory, kMaxSignals)),
      ends_(make_roles(memory, kMaxEnds)) {}

void LostSignal::begin(const TraceView&) {
  looks_.begin();
  signal_count_ = end_count_ = 0;
  truncated_ = false;
}

void LostSignal::on_event(const Event& e, const Moment& at) {
  looks_.on_event(e, at.sequence);
  if (is_signal(e.kind)) {
    if (signal_count_ < kMaxSignals)
      signals_[signal_count_++] = {e, at.sequence};
    else
      truncated_ = true;
  } else if (e.kind == OpKind::kThreadEnd) {
    if (end_count_ < kMaxEnds)
      ends_[end_count_++] = {e, at.sequence};
    else
      truncated_ = true;
  }
}

// Where a thread stands that was woken without effect: it waits again for the same, or has ended. kNone: neither.
RoleRecord LostSignal::where_now(ThreadIndex thread, std::uint64_t condition) {
  for (std::uint32_t i = 0; i < end_count_; ++i) {
    if (ends_[i].event.thread == thread) return ends_[i];
  }
  const WaitLooks::Wait* wait = looks_.of(thread);
  if (wait == nullptr || wait->event.kind != OpKind::kCondWait || place_of(wait->event) != condition) return {};
  return {wait->event, wait->sequence};
}

bool LostSignal::signalled_since(ThreadIndex thread, std::uint64_t condition, std::uint64_t sequence) const {
  for (std::uint32_t i = 0; i < signal_count_; ++i) {
    const RoleRecord& signal = signals_[i];
    if (signal.sequence > sequence && signal.event.thread == thread && place_of(signal.event) == condition) return true;
  }
  return false;
}

// What the signaller wrote of it between the look and the signal, if nothing of it was written since.
const WaitLooks::Write* LostSignal::change_of(const RoleRecord& signal, const WaitLooks::Wait& wait) const {
  const WaitLooks::Write* change = nullptr;
  if (!wait.all_known || looks_.truncated()) return nullptr;
  for (std::uint32_t i = 0; i < wait.count; ++i) {
    const WaitLooks::Write* last = looks_.last_write(wait.look[i]);
    if (last == nullptr) continue;
    if (last->sequence > signal.sequence) return nullptr;
    if (last->event.thread == signal.event.thread && last->sequence > wait.look[i].sequence) change = last;
  }
  return change;
}

bool LostSignal::explain(const RoleRecord& signal, const WaitLooks::Wait& wait) {
  if (signal.event.thread == wait.event.thread) return false;
  RoleRecord roles[4] = {signal, {wait.event, wait.sequence}, {}, {}};
  const bool nobody = woke_nobody(signal.event);
  if (nobody && signal.sequence < wait.sequence && !looks_.truncated() && !looks_.has_predicate(wait)) {
    report(kNoPredicate, roles, 2);
    return true;
  }
  const WaitLooks::Write* change = change_of(signal, wait);
  if (change == nullptr) return false;
  roles[2] = {change->event, change->sequence};
  if (signal.sequence < wait.sequence) {
    if (nobody) report(kTooEarly, roles, 3);
    return nobody;
  }
  if (signal.event.kind != OpKind::kCondSignal || nobody) return false;
  const std::uint64_t condition = place_of(signal.event);
  const auto woken = static_cast<ThreadIndex>(signal.event.value);
  roles[3] = where_now(woken, condition);
  if (woken == wait.event.thread || roles[3].event.kind == OpKind::kNone || roles[3].sequence < signal.sequence ||
      signalled_since(woken, condition, signal.sequence)) {
    return false;
  }
  report(kWrongWaiter, roles, 4);
  return true;
}

void LostSignal::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  if (result.outcome != OutcomeKind::kDeadlock || truncated_) return;
  const std::uint32_t waiting = result.waiting < kMaxWaiting ? result.waiting : kMaxWaiting;
  for (std::uint32_t i = 0; i < waiting; ++i) {
    const WaitingRecord& record = result.waiting_table[i];
    if (record.wants != OpKind::kCondReacquire) continue;  // a woken one wants the mutex
    const WaitLooks::Wait* wait = looks_.of(record.thread);
    if (wait == nullptr || wait->event.kind != OpKind::kCondWait) continue;
    bool explained = false;
    for (std::uint32_t k = signal_count_; k-- > 0 && !explained;) {
      if (place_of(signals_[k].event) == place_of(wait->event)) explained = explain(signals_[k], *wait);
    }
  }
}

void LostSignal::report(Variant variant, const RoleRecord* roles, std::uint8_t count) {
  DetectionRecord found;
  found.kind = OutcomeKind::kLostSignal;
  found.detector = static_cast<std::uint8_t>(DetectorId::kLostSignal);
  found.variant = variant;
  found.roles = count;
  found.key = hash_combine(detector_bit(DetectorId::kLostSignal), variant);
  for (std::uint8_t i = 0; i < count; ++i) {
    found.role[i] = roles[i];
    found.key = hash_combine(found.key, roles[i].event.location);
  }
  sink_.on_detection(found);
}

}  // namespace ravel
