// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/drive.h"

#include <algorithm>

#include "detect/detector_table.h"
#include "engine/findings.h"

namespace ravel {
namespace {

PolicySpec parking(const DetectionRecord& found, std::uint64_t seed) {
  PolicySpec policy;
  policy.kind = PolicyKind::kPark;
  policy.seed = seed;
  unsigned used = 0;
  for (unsigned i = 0; i < found.roles; ++i) {
    const LocationId place = found.role[i].event.location;
    const auto end = policy.park_at + used;
    if (place != 0 && used < kMaxParkPlaces && std::find(policy.park_at, end, place) == end) {
      policy.park_at[used++] = place;
    }
  }
  return policy;
}

std::uint64_t pair_key(const DetectionRecord& found) {
  RaceRecord race;
  race.first = found.role[0].event;
  race.second = found.role[1].event;
  return race_key(race);
}

// The race itself; of a deadlock, somebody waits for ever at a place of the prediction.
bool is_predicted(const ExecutionRecord& record, const DetectionRecord& found) {
  if (found.kind == OutcomeKind::kDataRace) {
    return std::any_of(record.races.begin(), record.races.end(),
                       [&](const RaceRecord& race) { return race_key(race) == pair_key(found); });
  }
  if (record.outcome != OutcomeKind::kDeadlock) return false;
  return std::any_of(found.role, found.role + found.roles, [&](const RoleRecord& role) {
    return std::any_of(record.waiting.begin(), record.waiting.end(),
                       [&](const WaitingRecord& waiting) { return waiting.location == role.event.location; });
  });
}

}  // namespace

Result<std::optional<FoundSeed>> drive_into(const ReplayOptions& replay, const DetectionRecord& found) {
  const bool race = found.kind == OutcomeKind::kDataRace;
  ReplayOptions drive = replay;
  drive.prefix.clear();
  if (race) drive.detectors |= detector_bit(DetectorId::kDataRace);
  if (race) {  // both accesses must be places where a thread can be held back
    if (drive.plan.points == PointsMode::kSync) drive.plan.points = PointsMode::kRacy;
    for (unsigned i = 0; i < found.roles; ++i) drive.racy.push_back(found.role[i].event.location);
    std::sort(drive.racy.begin(), drive.racy.end());
    drive.racy.erase(std::unique(drive.racy.begin(), drive.racy.end()), drive.racy.end());
  }
  for (std::uint64_t attempt = 1; attempt <= (race ? kRaceDrives : kDrives); ++attempt) {
    drive.plan.policy = parking(found, attempt);
    auto result = run_replay(drive);
    if (!result) return tl::make_unexpected(result.error());
    if (result->interrupted) break;
    if (!is_predicted(result->record, found)) continue;
    FoundSeed seed;
    seed.kind = race ? OutcomeKind::kDataRace : OutcomeKind::kDeadlock;
    seed.source = race ? FindingSource::kRace : FindingSource::kOutcome;
    seed.key = race ? pair_key(found) : 0;
    seed.times_seen = 1;
    seed.plan = drive.plan;
    seed.plan.policy = PolicySpec{};  // the schedule decides everything
    seed.schedule = result->record.schedule;
    seed.racy = drive.racy;
    return std::optional<FoundSeed>(std::move(seed));
  }
  return std::optional<FoundSeed>();
}

}  // namespace ravel
