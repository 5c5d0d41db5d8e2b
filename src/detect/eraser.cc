// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/eraser.h"

#include "detect/race_report.h"

namespace ravel {

Eraser::State Eraser::state_of(std::uint64_t place) const {
  const std::uint32_t number = index_.find(place);
  return number == 0 ? State::kVirgin : variables_[number].state;
}

void Eraser::on_event(const Event& e, const Moment& at) {
  const bool write = e.kind == OpKind::kWrite;
  if (!write && e.kind != OpKind::kRead) return;
  std::uint32_t* number = index_.claim(place_of(e));
  if (number != nullptr && *number == 0) *number = variables_.add(Variable{});
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return;
  }
  Variable& v = variables_[*number];
  const State before = v.state;
  step(v, e, write);
  const PastAccess& other = v.last.event.thread == e.thread ? v.before_last : v.last;
  if (v.state == State::kRace && other.event.kind != OpKind::kNone &&
      (before != State::kRace || v.last.event.thread != e.thread)) {
    report_race_pair(sink_, DetectorId::kEraser, other, e, at.sequence);
  }
  if (v.last.event.kind != OpKind::kNone && v.last.event.thread != e.thread) v.before_last = v.last;
  v.last.event = e;
  v.last.sequence = at.sequence;
}

void Eraser::step(Variable& v, const Event& e, bool write) {
  switch (v.state) {
    case State::kVirgin:
      v.state = State::kExclusive;
      v.owner = e.thread;
      return;
    case State::kExclusive:
      if (v.owner == e.thread) return;
      v.state = State::kHandedOver;
      v.owner = e.thread;
      start_candidates(v, e, write);
      return;
    case State::kHandedOver:
      if (v.owner == e.thread) return;
      v.state = write ? State::kModified : State::kShared;
      break;
    case State::kShared:
      if (write) v.state = State::kModified;
      break;
    case State::kModified:
    case State::kRace:
      break;
  }
  refine(v, e, write);
  if (v.state == State::kModified && v.candidates == 0) v.state = State::kRace;
}

void Eraser::start_candidates(Variable& v, const Event& e, bool write) {
  v.candidates = 0;
  for (const LockHold& lock : locks_.of(e.thread)) {
    if ((write && lock.shared) || v.candidates == kMostLocks) continue;
    v.candidate[v.candidates++] = lock.place;
  }
}

void Eraser::refine(Variable& v, const Event& e, bool write) {
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < v.candidates; ++i) {
    for (const LockHold& lock : locks_.of(e.thread)) {
      if (lock.place != v.candidate[i] || (write && lock.shared)) continue;
      v.candidate[kept++] = lock.place;
      break;
    }
  }
  v.candidates = kept;
}

}  // namespace ravel
