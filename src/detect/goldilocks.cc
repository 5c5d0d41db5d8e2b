// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/goldilocks.h"

#include <cstring>

#include "detect/race_report.h"

namespace ravel {

GoldiLocks::GoldiLocks(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      log_(memory, kMaxTransfers, kMaxElements),
      history_(memory, 1u << 16, 1u << 16),
      member_(static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * (kMaxElements + 1), 16))) {
  std::memset(member_, 0, sizeof(std::uint32_t) * (kMaxElements + 1));
}

void GoldiLocks::begin(const TraceView&) {
  log_.begin();
  history_.begin();
  work_ = 0;
  for (std::uint64_t& count : counts_) count = 0;
  truncated_ = false;
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
    if (state == State::kRace && !truncated_) {
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
  if (reaches(old.event.thread, thread, old.mark, true)) return State::kSameLock;
  if (reaches(old.event.thread, thread, old.mark, false)) return State::kLockset;
  return State::kRace;
}

// Whether `to` enters the lockset that begins as {from} at this position of the log.
bool GoldiLocks::reaches(ThreadIndex from, ThreadIndex to, std::uint32_t position, bool only_these) {
  if (++evaluation_ == 0) {
    std::memset(member_, 0, sizeof(std::uint32_t) * (kMaxElements + 1));
    evaluation_ = 1;
  }
  work_ += log_.size() - position;
  if (work_ > kMaxWork) {
    truncated_ = true;
    return true;
  }
  const Element goal = log_.of_thread(to);
  member_[log_.of_thread(from)] = evaluation_;
  for (std::uint32_t i = position; i < log_.size(); ++i) {
    const Transfer& transfer = log_[i];
    if (only_these && transfer.thread != from && transfer.thread != to) {
      // What others end is ended; only what they bring is left out.
      if (transfer.assigns && member_[transfer.to] == evaluation_ && member_[transfer.from] != evaluation_) {
        member_[transfer.to] = 0;
      }
      continue;
    }
    const bool has = transfer.from != 0 && member_[transfer.from] == evaluation_;
    if (has) {
      member_[transfer.to] = evaluation_;
      if (transfer.to == goal) return true;
    } else if (transfer.assigns) {
      member_[transfer.to] = 0;
    }
  }
  return false;
}

}  // namespace ravel
