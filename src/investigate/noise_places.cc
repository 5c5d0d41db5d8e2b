// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/noise_places.h"

#include <algorithm>

#include "base/random.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;
constexpr std::uint32_t kSyncClasses = kNoiseBeforeSync | kNoiseAfterSync;

void add_place(FreeNoise& noise, std::uint64_t pc, std::uint64_t type, std::uint32_t per_million,
               std::uint32_t least = 0, std::uint32_t most = 0) {
  if (noise.listed + 1 >= kFreePlaces) return;  // one stays empty: it ends the search for others
  for (std::uint32_t at = free_slot(pc);; at = (at + 1) % kFreePlaces) {
    if (noise.places[at].pc != 0) continue;
    noise.places[at] = {pc, type, per_million, least, most};
    ++noise.listed;
    return;
  }
}

void add_all(FreeNoise& noise, const std::vector<std::uint64_t>& pcs, std::uint32_t per_million) {
  for (const std::uint64_t pc : pcs) add_place(noise, pc, 0, per_million);
}

std::vector<std::uint64_t> unprotected_places(const NoiseKnowledge& known) {
  std::set<std::uint64_t> pcs;
  for (const auto& [key, place] : known.places()) {
    if (place.shared && place.unprotected && !place.sync) pcs.insert(key.first);
  }
  return {pcs.begin(), pcs.end()};
}

// Variables that more threads and places touch are more often the one.
void add_one_variable(FreeNoise& noise, const NoiseKnowledge& known, std::uint32_t per_million, Random& random) {
  const auto variables = known.variables();
  std::uint64_t all = 0;
  for (const auto& places : variables) all += places.size();
  std::uint64_t drawn = random.below(all);
  for (const auto& places : variables) {
    if (drawn < places.size()) return add_all(noise, places, per_million);
    drawn -= places.size();
  }
}

void add_covered(FreeNoise& noise, const NoiseConfig& config, const NoiseKnowledge& known) {
  noise.one_at_a_time = true;
  for (const auto& [key, place] : known.places()) {
    if (place.least_us == 0) continue;  // nobody else's access followed
    const double executions = place.runs > 1 ? place.executions : 0;
    const std::uint32_t chance = config.by_frequency ? config.frequency * 1000 : biased_per_million(executions);
    const bool computes = config.placement == FreePlacement::kCoverageStrength;
    add_place(noise, key.first, key.second, chance, computes ? place.least_us - 1 : 0, computes ? place.most_us : 0);
  }
}

}  // namespace

std::uint32_t biased_per_million(double executions) {
  if (executions <= 0) return kMillion / 100;
  return std::max<std::uint32_t>(kMillion / 1000, static_cast<std::uint32_t>(kMillion / (4 * executions)));
}

void NoiseKnowledge::learn(const FreeBlock& block, std::uint64_t number) {
  std::map<std::uint32_t, std::uint32_t> groups;  // of this run, as they are called over all runs
  const auto root_of = [&](std::uint32_t at) {
    for (std::uint32_t i = 0; i < kFreePlaces; ++i) {
      const std::uint32_t up = block.observed[at].group.load(std::memory_order_relaxed) % kFreePlaces;
      if (up == at) break;
      at = up;
    }
    return at;
  };
  for (std::uint32_t at = 0; at < kFreePlaces; ++at) {
    const FreeObserved& row = block.observed[at];
    const std::uint64_t pc = row.pc.load(std::memory_order_acquire);
    const std::uint64_t executions = row.executions.load(std::memory_order_relaxed);
    if (pc == 0 || executions == 0) continue;
    const std::uint32_t root = root_of(at);
    const auto known = group_of_.find(pc);
    if (known != group_of_.end()) groups.emplace(root, known->second);
    const std::uint32_t group = groups.emplace(root, static_cast<std::uint32_t>(group_of_.size())).first->second;
    group_of_.emplace(pc, group);
    auto [found, fresh] = places_.try_emplace(Key{pc, row.thread_type});
    KnownPlace& place = found->second;
    if (fresh) place.first_run = number;
    place.executions += (static_cast<double>(executions) - place.executions) / static_cast<double>(++place.runs);
    place.group = group_of_[pc];
    place.shared = place.shared || row.shared.load() != 0;
    place.unprotected = place.unprotected || row.unprotected.load() != 0;
    place.sync = (row.classes & kNoiseBeforeSync) != 0;
    const std::uint32_t least = row.least_us.load();
    if (least == 0 || number > place.first_run + kWindow) continue;
    place.least_us = place.least_us == 0 ? std::min(least, kLongestUs) : std::min(place.least_us, least);
    place.most_us = std::min(kLongestUs, std::max(place.most_us, row.most_us.load()));
  }
}

std::vector<std::vector<std::uint64_t>> NoiseKnowledge::variables() const {
  std::map<std::uint32_t, std::set<std::uint64_t>> by_group;
  std::set<std::uint32_t> shared;
  for (const auto& [key, place] : places_) {
    if (place.sync) continue;
    by_group[place.group].insert(key.first);
    if (place.shared) shared.insert(place.group);
  }
  std::vector<std::vector<std::uint64_t>> out;
  for (const auto& [group, pcs] : by_group) {
    if (shared.contains(group)) out.emplace_back(pcs.begin(), pcs.end());
  }
  return out;
}

FreeNoise noise_for(const NoiseConfig& config, const NoiseKnowledge& known, std::uint64_t seed, std::uint64_t number) {
  FreeNoise noise;
  noise.seed = derive_seed(seed, number);
  if (!config.on) return noise;
  noise.on = true;
  noise.seeding = config.seeding;
  noise.strength = config.strength_or_default();
  noise.per_million = config.frequency * 1000;
  noise.tampers = config.tampers;
  noise.halts = config.halts;
  Random random(mix64(noise.seed));
  switch (config.placement) {
    case FreePlacement::kRandom:
      noise.classes = kNoiseAnywhere;
      break;
    case FreePlacement::kSync:
      noise.classes = kSyncClasses;
      break;
    case FreePlacement::kVarOneOther:
      noise.classes = kSyncClasses;
      [[fallthrough]];
    case FreePlacement::kVarOne:
      add_one_variable(noise, known, noise.per_million, random);
      break;
    case FreePlacement::kVarAllOther:
      noise.classes = kSyncClasses;
      [[fallthrough]];
    case FreePlacement::kVarAll:
      for (const auto& places : known.variables()) add_all(noise, places, noise.per_million);
      break;
    case FreePlacement::kCoverage:
    case FreePlacement::kCoverageStrength:
      add_covered(noise, config, known);
      break;
    case FreePlacement::kUnprotected:
      add_all(noise, unprotected_places(known), noise.per_million);
      break;
    case FreePlacement::kRacy:
      add_all(noise, {known.racy().begin(), known.racy().end()}, noise.per_million);
      break;
    case FreePlacement::kFile:
      add_all(noise, {known.listed().begin(), known.listed().end()}, noise.per_million);
      break;
  }
  return noise;
}

}  // namespace ravel
