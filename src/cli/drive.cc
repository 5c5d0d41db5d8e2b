// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/drive.h"

#include <algorithm>

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

// Somebody waits for ever at a place of the prediction.
bool is_predicted(const ExecutionRecord& record, const DetectionRecord& found) {
  if (record.outcome != OutcomeKind::kDeadlock) return false;
  return std::any_of(found.role, found.role + found.roles, [&](const RoleRecord& role) {
    return std::any_of(record.waiting.begin(), record.waiting.end(),
                       [&](const WaitingRecord& waiting) { return waiting.location == role.event.location; });
  });
}

}  // namespace

Result<std::optional<FoundSeed>> drive_into(const ReplayOptions& replay, const DetectionRecord& found) {
  for (std::uint64_t attempt = 1; attempt <= kDrives; ++attempt) {
    ReplayOptions drive = replay;
    drive.prefix.clear();
    drive.plan.policy = parking(found, attempt);
    auto result = run_replay(drive);
    if (!result) return tl::make_unexpected(result.error());
    if (result->interrupted) break;
    if (!is_predicted(result->record, found)) continue;
    FoundSeed seed;
    seed.kind = OutcomeKind::kDeadlock;
    seed.times_seen = 1;
    seed.plan = replay.plan;
    seed.plan.policy = PolicySpec{};  // the schedule decides everything
    seed.schedule = result->record.schedule;
    seed.racy = replay.racy;
    return std::optional<FoundSeed>(std::move(seed));
  }
  return std::optional<FoundSeed>();
}

}  // namespace ravel
