// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Configurations of noise against each other and against none: how often the program fails, how much is covered, how
// long it takes. The tables are those of Letko, "Analysis and testing of concurrent programs", 2012, chapter 4: seeding
// by frequency, influence of timeoutTamper and haltOneThread, ranks of placements.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "investigate/free_campaign.h"

namespace ravel {

struct NoiseMeasure {
  NoiseConfig config;
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  std::uint64_t avio = 0;    // tasks of avio* in all runs together
  std::uint64_t hbpair = 0;  // ... of hbpair*
  double seconds = 0;        // of one run
};

struct NoiseComparison {
  NoiseMeasure none;
  std::vector<NoiseMeasure> grid;        // seedings by frequencies
  std::vector<NoiseMeasure> advanced;    // seedings by tt, ht, both; at kRankedFrequency
  std::vector<NoiseMeasure> placements;  // of the best seeding, at kRankedFrequency
  bool complete = true;                  // false: interrupted, or out of time
};
inline constexpr std::uint32_t kComparedFrequencies[] = {50, 100, 150, 200};
inline constexpr std::uint32_t kRankedFrequency = 150;

// `base` says what is run; each configuration gets base.runs runs.
Result<NoiseComparison> compare_noise(const FreeCampaignRequest& base, const ProgramImage& image,
                                      const std::function<void(const NoiseMeasure&)>& listener = {});

std::string comparison_text(const NoiseComparison& comparison);
std::string comparison_json(const NoiseComparison& comparison, const ProgramImage& image);

// Ranks from 1, the most is first; equal values share the mean of their ranks.
std::vector<double> ranks_of(const std::vector<double>& values);

}  // namespace ravel
