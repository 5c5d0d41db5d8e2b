// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// See point_sets.h.
#include "engine/point_sets.h"

#include <atomic>
#include <cstring>

#include "wire/facts_table.h"

namespace ravel {
namespace {

// Shell sort: small sets, no recursion, nothing to link.
void sort_locations(LocationId* list, std::uint32_t count) {
  for (std::uint32_t gap = count / 2; gap > 0; gap /= 2) {
    for (std::uint32_t i = gap; i < count; ++i) {
      const LocationId value = list[i];
      std::uint32_t j = i;
      for (; j >= gap && list[j - gap] > value; j -= gap) list[j] = list[j - gap];
      list[j] = value;
    }
  }
}

}  // namespace

void PointSets::begin_with_facts() {
  const Campaign& campaign = block_.campaign;
  if (campaign.mode != RunMode::kExplore || campaign.base.points != PointsMode::kRacy || state_.fixed_points) return;
  if (campaign.facts == 0 || state_.counters.steps() != 0 || now().points_known != 0) return;
  const StaticFacts facts = facts_in(reinterpret_cast<const FactsTableHeader*>(campaign.facts));
  for (const LocationId location : facts.points) lasting_.points.on_location(location);
  for (const KeptPair& pair : facts.kept) {
    if (pair.verdict != PairVerdict::kSeen) continue;
    for (const KeptAccess& access : {pair.first, pair.second}) {
      if (op_class(access.kind) == OpClass::kPlain) lasting_.points.on_location(access.location);
    }
  }
  if (lasting_.points.count() == 0) return;
  Counters& first = state_.counters.initial();
  const std::uint64_t offset = sorted_copy(lasting_.points);
  if (offset == 0) return;
  first.points_offset = offset;
  first.points_version = 1;
  first.points = lasting_.points.count();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  first.points_known = first.points;
}

void PointSets::take_shared(PlanSpec& plan) {
  constexpr std::uint32_t kOfSharedPoints = 1u << 31;
  if (now().shared == 0) return;
  plan.racy_locations = now().shared;
  plan.points_version = kOfSharedPoints | now().shared;
  std::memcpy(block_.racy, block_.arena + now().shared_offset, sizeof(LocationId) * now().shared);
}

std::uint64_t PointSets::sorted_copy(const LocationSet& set) {
  const std::uint32_t count = set.count();
  auto* sorted = static_cast<LocationId*>(state_.memory->try_allocate(sizeof(LocationId) * count));
  if (sorted == nullptr) return 0;
  std::memcpy(sorted, set.begin(), sizeof(LocationId) * count);
  sort_locations(sorted, count);
  return static_cast<std::uint64_t>(reinterpret_cast<unsigned char*>(sorted) - block_.arena);
}

void PointSets::grow_shared(Counters& next) {
  for (std::uint32_t i = 0; i < next.points_known; ++i) lasting_.shared.on_location(lasting_.points.begin()[i]);
  next.shared_known = lasting_.shared.count();
  if (next.shared_known == next.shared) return;
  const std::uint64_t offset = sorted_copy(lasting_.shared);
  if (offset == 0) return;
  next.shared = next.shared_known;
  next.shared_offset = offset;
}

void PointSets::grow(Counters& next) {
  const std::uint64_t offset = sorted_copy(lasting_.points);
  if (offset == 0) {
    next.truncated = 1;
    return;
  }
  next.points = next.points_known;
  ++next.points_version;
  next.points_offset = offset;
}

}  // namespace ravel
