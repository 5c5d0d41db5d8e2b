// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/bandit.h"

#include "base/invariant.h"

namespace ravel {
namespace {

constexpr std::uint64_t kRemembered = 1u << 16;  // scheduling points of one arm
constexpr std::uint32_t kCompareEvery = 16;      // divisions take longer than a short execution may

}  // namespace

std::size_t Bandit::next(std::span<const std::uint32_t> shares) const {
  INVARIANT(shares.size() <= kMostArms, "there is room for every arm");
  std::size_t chosen = shares.size();
  std::int64_t most = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0) continue;
    const std::int64_t credit = arms_[i].credit + weight(i, shares);
    if (chosen != shares.size() && credit <= most) continue;
    chosen = i;
    most = credit;
  }
  INVARIANT(chosen < shares.size(), "some arm has a share");
  return chosen;
}

void Bandit::played(std::size_t arm, std::span<const std::uint32_t> shares, std::uint64_t reward, std::uint64_t cost) {
  std::int64_t all = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0) continue;
    const std::int64_t one = weight(i, shares);
    arms_[i].credit += one;
    all += one;
  }
  Arm& mine = arms_[arm];
  mine.credit -= all;
  mine.reward += reward;
  mine.cost += cost + 1;
  if (mine.cost >= kRemembered) {
    mine.reward /= 2;
    mine.cost /= 2;
  }
  if (++played_ % kCompareEvery == 0) compare();
}

// Between 1 and kMostGain, by what it brought for a point beside the best.
void Bandit::compare() {
  std::uint64_t values[kMostArms] = {};
  std::uint64_t best = 0;
  for (std::size_t i = 0; i < kMostArms; ++i) {
    if (arms_[i].cost != 0) values[i] = (arms_[i].reward << 20) / arms_[i].cost;
    if (values[i] > best) best = values[i];
  }
  for (std::size_t i = 0; i < kMostArms; ++i) {
    if (arms_[i].cost == 0) continue;
    const std::uint64_t part = best == 0 ? kUnit : values[i] * kUnit / best;
    arms_[i].gain = static_cast<std::uint32_t>(kUnit + (kMostGain - 1) * part);
  }
}

}  // namespace ravel
