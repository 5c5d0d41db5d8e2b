// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/predicted_races.h"

#include "detect/race_report.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

CausalityOptions options_of_rest() {
  CausalityOptions options;
  options.max_threads = kDetectorThreads;
  options.max_clock_nodes = 1u << 17;
  options.max_sync_places = 1u << 16;
  return options;
}

bool changes_locks(OpKind kind) {
  const OpFamily family = family_of(kind);
  return family == OpFamily::kMutex || family == OpFamily::kRw || family == OpFamily::kCond;
}

}  // namespace

PredictedRaces::PredictedRaces(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      rest_(memory, options_of_rest()),
      history_(memory, 1u << 16, 1u << 16),
      lock_sets_(memory, kMaxLockSets),
      present_(memory, kDetectorThreads) {}

void PredictedRaces::begin(const TraceView&) {
  rest_.begin();
  history_.begin();
  lock_sets_.clear();
  present_.clear();
  truncated_ = false;
}

std::uint32_t PredictedRaces::lock_set_of(ThreadIndex thread) {
  std::uint32_t* number = present_.find(thread);
  if (number != nullptr && *number != 0) return *number;
  LockSet set;
  for (const LockHold& lock : locks_.of(thread)) {
    set.place[set.count] = lock.place;
    set.shared[set.count++] = lock.shared;
  }
  const std::uint32_t made = lock_sets_.add(set);
  if (made == 0 || thread >= present_.capacity()) {
    truncated_ = true;
    return made;
  }
  if (number == nullptr) {
    present_.insert(thread, made);
  } else {
    *number = made;
  }
  return made;
}

bool PredictedRaces::have_common_lock(std::uint32_t a, std::uint32_t b) const {
  if (a == 0 || b == 0) return true;
  const LockSet& x = lock_sets_[a];
  const LockSet& y = lock_sets_[b];
  for (std::uint32_t i = 0; i < x.count; ++i) {
    for (std::uint32_t j = 0; j < y.count; ++j) {
      if (x.place[i] == y.place[j] && !(x.shared[i] && y.shared[j])) return true;
    }
  }
  return false;
}

void PredictedRaces::on_event(const Event& e, const Moment& at) {
  if (changes_locks(e.kind)) {
    if (std::uint32_t* number = present_.find(e.thread)) *number = 0;
    return;
  }
  const Epoch epoch = rest_.on_event(e);
  const AccessClass cls = access_class(e);
  if (cls == AccessClass::kNone) return;
  PastAccess now;
  now.event = e;
  now.sequence = at.sequence;
  now.epoch = epoch;
  now.cls = cls;
  now.mark = lock_set_of(e.thread);
  history_.access(now, [&](const PastAccess& old) {
    if (!conflict(old.cls, cls) || rest_.ordered(old.epoch) || have_common_lock(old.mark, now.mark)) return;
    report_race_pair(sink_, DetectorId::kPredictedRace, old, e, at.sequence);
  });
}

}  // namespace ravel
