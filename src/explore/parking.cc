// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/parking.h"

#include "base/hash.h"
#include "explore/event_scan.h"
#include "model/execution.h"

namespace ravel {
namespace {

constexpr std::uint32_t kSlots = 4 * Parking::kMostPlaces;
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

}  // namespace

Parking::Parking(std::pmr::memory_resource& memory)
    : points_(room<LocationId>(memory, kMaxRacyLocations)),
      places_(room<LocationId>(memory, kMostPlaces)),
      tries_(room<Try>(memory, kMostTries)),
      slots_(room<std::uint32_t>(memory, kSlots)) {
  for (std::uint32_t i = 0; i < kSlots; ++i) slots_[i] = 0;
}

void Parking::fill(PolicySpec& policy, const State& s, std::uint64_t seed) const {
  policy.kind = PolicyKind::kPark;
  policy.seed = seed;
  if (s.next_try < s.tries) {
    for (unsigned i = 0; i < kMaxParkPlaces; ++i) policy.park_at[i] = tries_[s.next_try].at[i];
  } else if (s.next_point < s.points) {
    policy.park_at[0] = points_[s.next_point];
  } else if (s.next_place < s.places) {
    policy.park_at[0] = places_[s.next_place];
  } else {
    const std::uint32_t at = s.again % (s.points + s.places);
    policy.park_at[0] = at < s.points ? points_[at] : places_[at - s.points];
  }
}

void Parking::advance(State& s) {
  if (s.next_try < s.tries) {
    ++s.next_try;
  } else if (s.next_point < s.points) {
    ++s.next_point;
  } else if (s.next_place < s.places) {
    ++s.next_place;
  } else {
    ++s.again;
  }
}

void Parking::learn(State& s, const Execution& execution, bool look) {
  for (const std::size_t known = execution.points.size(); s.points < known && s.points < kMaxRacyLocations;
       ++s.points) {
    points_[s.points] = execution.points[s.points];
  }
  const std::uint32_t found = execution.result.detections;
  for (std::uint32_t i = 0; i < found && i < kMaxDetections; ++i) add_tries(s, execution.result.detection_table[i]);
  if (look) look_at_events(s, execution.trace);
}

void Parking::look_at_events(State& s, const TraceView& trace) {
  LocationId last = 0;
  scan_events(trace, kMostEvents, [&](const Event& e, std::uint64_t) {
    if (e.location == last || !is_meeting(e.kind)) return;
    last = e.location;
    add_place(s, e.location);
  });
}

void Parking::add_place(State& s, LocationId location) {
  if (location == 0 || s.places == kMostPlaces) return;
  std::uint32_t i = static_cast<std::uint32_t>(mix64(location)) % kSlots;
  for (std::uint32_t tried = 0; tried < kSlots && slots_[i] != 0; ++tried, i = (i + 1) % kSlots) {
    const std::uint32_t at = slots_[i] - 1;
    if (at < s.places && places_[at] == location) return;
  }
  if (slots_[i] != 0) return;
  places_[s.places] = location;
  slots_[i] = ++s.places;
}

// All places together first.
void Parking::add_tries(State& s, const DetectionRecord& found) {
  Try all = {};
  unsigned count = 0;
  for (unsigned i = 0; i < found.roles && i < kMaxRoles; ++i) {
    const LocationId location = found.role[i].event.location;
    bool known = location == 0;
    for (unsigned j = 0; j < count; ++j) known = known || all.at[j] == location;
    if (!known && count < kMaxParkPlaces) all.at[count++] = location;
  }
  if (count == 0) return;
  add_try(s, all);
  if (count == 1) return;
  for (unsigned i = 0; i < count; ++i) add_try(s, Try{{all.at[i]}});
}

void Parking::add_try(State& s, const Try& one) {
  for (std::uint32_t i = 0; i < s.tries; ++i) {
    bool same = true;
    for (unsigned j = 0; j < kMaxParkPlaces; ++j) same = same && tries_[i].at[j] == one.at[j];
    if (same) return;
  }
  if (s.tries < kMostTries) tries_[s.tries++] = one;
}

}  // namespace ravel
