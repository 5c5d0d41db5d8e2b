// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/parking.h"

#include "explore/event_scan.h"
#include "model/execution.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostEvents = 1u << 16;  // looked at in one execution

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

// Operations where it matters who comes first. Ends of critical sections are not: who is held there keeps others out.
bool is_meeting(OpKind kind) {
  switch (kind) {
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kAtomicCas:
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kMutexDestroy:
    case OpKind::kCondWait:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kCondDestroy:
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kBarrierArrive:
    case OpKind::kOnceBegin:
    case OpKind::kFutexWait:
    case OpKind::kFutexWake:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
    case OpKind::kIoWait:
    case OpKind::kIoClose:
    case OpKind::kSignalSend:
    case OpKind::kCancel:
      return true;
    default:
      return false;
  }
}

TryKind kind_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::kDataRace:
      return TryKind::kRace;
    case OutcomeKind::kPotentialDeadlock:
      return TryKind::kLockCircle;
    case OutcomeKind::kLostSignal:
      return TryKind::kLostSignal;
    case OutcomeKind::kAtomicityViolation:
      return TryKind::kAtomicity;
    case OutcomeKind::kOrderViolation:
      return TryKind::kUseBeforeSet;
    default:
      return TryKind::kOther;
  }
}

}  // namespace

Parking::Parking(std::pmr::memory_resource& memory, bool directed)
    : directed_(directed),
      points_(room<LocationId>(memory, kMaxRacyLocations)),
      places_(memory, kMostPlaces),
      tries_(memory),
      windows_(memory) {}

void Parking::fill(PolicySpec& policy, const State& s, std::uint64_t seed) const {
  policy.kind = PolicyKind::kPark;
  policy.seed = seed;
  if (s.next_point < s.points) {
    policy.park_at[0] = points_[s.next_point];
  } else if (s.next_place < s.places) {
    policy.park_at[0] = places_[s.next_place];
  } else {
    const std::uint32_t at = s.again % (s.points + s.places);
    policy.park_at[0] = at < s.points ? points_[at] : places_[at - s.points];
  }
}

void Parking::advance(State& s) {
  if (s.next_point < s.points) {
    ++s.next_point;
  } else if (s.next_place < s.places) {
    ++s.next_place;
  } else {
    ++s.again;
  }
}

void Parking::fill_directed(PolicySpec& policy, const State& s, std::uint64_t seed) const {
  policy.seed = seed;
  if (is_directed(s)) {
    tries_.fill(policy, s.tries);
  } else {
    tries_.fill_again(policy, s.tries, s.directed_again % DirectedTries::repeatable(s.tries));
  }
}

void Parking::advance_directed(State& s) {
  if (is_directed(s)) {
    DirectedTries::advance(s.tries);
  } else {
    ++s.directed_again;
  }
}

std::uint32_t Parking::learn(State& s, const Execution& execution, bool look) {
  for (const std::size_t known = execution.points.size(); s.points < known && s.points < kMaxRacyLocations;
       ++s.points) {
    points_[s.points] = execution.points[s.points];
  }
  const std::uint32_t added = add_tries(s, execution.result);
  while (s.next_point < s.points && tries_.contains(s.tries, points_[s.next_point])) ++s.next_point;
  if (look) look_at_events(s, execution.trace);
  return added;
}

void Parking::look_at_events(State& s, const TraceView& trace) {
  LocationId last = 0;
  scan_events(trace, kMostEvents, [&](const Event& e, std::uint64_t) {
    if (e.location == last || !is_meeting(e.kind)) return;
    last = e.location;
    if (e.location != 0) places_.add(s.places, e.location);
  });
  if (directed_) windows_.scan(trace, [&](const PlacePair& pair) { tries_.add_window(s.tries, pair); });
}

std::uint32_t Parking::add_tries(State& s, const ExecutionResult& result) {
  std::uint32_t added = 0;
  if (!directed_) return added;
  for (std::uint32_t i = 0; i < result.races && i < kMaxRaces; ++i) {
    const RaceRecord& race = result.race_table[i];
    added += tries_.add(s.tries, PlacePair{race.first.location, race.second.location}, TryKind::kRace);
  }
  for (std::uint32_t i = 0; i < result.detections && i < kMaxDetections; ++i) {
    const DetectionRecord& found = result.detection_table[i];
    LocationId places[kMaxRoles] = {};
    for (unsigned j = 0; j < found.roles && j < kMaxRoles; ++j) places[j] = found.role[j].event.location;
    added += tries_.add(s.tries, places, kind_of(found.kind));
  }
  return added;
}

}  // namespace ravel
