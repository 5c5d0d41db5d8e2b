// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/racetrack.h"

#include "detect/lifecycle_order.h"
#include "detect/race_report.h"

namespace ravel {

RaceTrack::RaceTrack(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      lifecycle_(memory, lifecycle_options()),
      index_(memory, 1u << 10, kMaxVariables * 2),
      variables_(memory, kMaxVariables) {}

void RaceTrack::begin(const TraceView&) {
  lifecycle_.begin();
  index_.clear();
  variables_.clear();
  truncated_ = false;
}

void RaceTrack::on_event(const Event& e, const Moment& at) {
  const bool write = e.kind == OpKind::kWrite;
  if (op_class(e.kind) == OpClass::kLifecycle) lifecycle_.on_event(e);
  if (!write && e.kind != OpKind::kRead) return;
  const Epoch epoch = lifecycle_.on_event(e);
  std::uint32_t* number = index_.claim(place_of(e));
  if (number != nullptr && *number == 0) *number = variables_.add(Variable{});
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return;
  }
  Variable& v = variables_[*number];
  drop_ordered(v, e);
  if (v.threads == 0) {
    start_candidates(v, e, write);
  } else {
    refine(v, e, write);
    if (v.candidates == 0) report(v, e, at.sequence, write);
  }
  if (v.threads == kMostThreads) {
    for (std::uint32_t i = 1; i < v.threads; ++i) v.label[i - 1] = v.label[i];
    --v.threads;
  }
  Label& own = v.label[v.threads++];
  own = Label{};
  own.access.event = e;
  own.access.sequence = at.sequence;
  own.epoch = epoch;
}

// Also what the thread itself did before, unless it is the write that others have to be held against.
void RaceTrack::drop_ordered(Variable& v, const Event& e) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < v.threads; ++i) {
    if (v.label[i].access.event.thread == e.thread || lifecycle_.ordered(v.label[i].epoch)) continue;
    if (kept != i) v.label[kept] = v.label[i];
    ++kept;
  }
  v.threads = kept;
}

void RaceTrack::start_candidates(Variable& v, const Event& e, bool write) const {
  v.candidates = 0;
  for (const LockHold& lock : locks_.of(e.thread)) {
    if ((write && lock.shared) || v.candidates == kMostLocks) continue;
    v.candidate[v.candidates++] = lock.place;
  }
}

void RaceTrack::refine(Variable& v, const Event& e, bool write) const {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < v.candidates; ++i) {
    for (const LockHold& lock : locks_.of(e.thread)) {
      if (lock.place != v.candidate[i] || (write && lock.shared)) continue;
      v.candidate[kept++] = lock.place;
      break;
    }
  }
  v.candidates = kept;
}

void RaceTrack::report(const Variable& v, const Event& e, std::uint64_t sequence, bool write) {
  for (std::uint32_t i = v.threads; i-- > 0;) {
    if (!write && v.label[i].access.event.kind != OpKind::kWrite) continue;
    report_race_pair(sink_, DetectorId::kRaceTrack, v.label[i].access, e, sequence);
    return;
  }
}

}  // namespace ravel
