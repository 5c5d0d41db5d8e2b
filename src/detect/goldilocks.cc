// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/goldilocks.h"

#include "detect/race_report.h"

namespace ravel {

GoldiLocks::GoldiLocks(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      log_(memory, kMaxTransfers, kMaxElements),
      replay_(memory, log_, kMaxElements),
      history_(memory, 1u << 16, 1u << 16) {}

void GoldiLocks::begin(const TraceView&) {
  log_.begin();
  replay_.begin();
  history_.begin();
  for (std::uint64_t& count : counts_) count = 0;
}

void GoldiLocks::on_event(const Event& e, const Moment& at) {
  const std::uint32_t position = log_.size();  // what the event itself releases comes after its access
  log_.on_event(e);
  const AccessClass cls = access_class(e);
  if (cls == AccessClass::kNone || truncated()) return;
  PastAccess now;
  now.event = e;
  now.sequence = at.sequence;
  now.cls = cls;
  now.mark = position;
  for (const LockHold& lock : locks_.of(e.thread)) {
    if (!lock.shared) now.mark2 = log_.of_lock(lock.place);
  }
  bool compared = false;
  history_.access(now, [&](const PastAccess& old) {
    if (!conflict(old.cls, cls)) return;
    compared = true;
    const State state = check(old, e.thread);
    ++counts_[static_cast<std::size_t>(state)];
    if (state == State::kRace && !replay_.truncated()) {
      report_race_pair(sink_, DetectorId::kGoldiLocks, old, e, at.sequence);
    }
  });
  if (!compared) ++counts_[static_cast<std::size_t>(State::kSameThread)];
}

GoldiLocks::State GoldiLocks::check(const PastAccess& old, ThreadIndex thread) {
  if (old.mark2 != 0 && log_.forgotten_at(old.mark2) <= old.mark) {
    for (const LockHold& lock : locks_.of(thread)) {
      if (!lock.shared && log_.of_lock(lock.place) == old.mark2) return State::kSameLock;
    }
  }
  if (replay_.reaches(old.event.thread, thread, old.mark, true)) return State::kSameLock;
  if (replay_.reaches(old.event.thread, thread, old.mark, false)) return State::kLockset;
  return State::kRace;
}

}  // namespace ravel
