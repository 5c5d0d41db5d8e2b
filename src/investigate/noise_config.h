// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A configuration of noise for free-running mode: --noise
// random|SEEDING[,freq=N,strength=N,place=NAME,prob=RULE,tt,ht].
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"
#include "model/plan.h"
#include "model/text/result.h"

namespace ravel {

enum class FreePlacement : std::uint8_t {
  kRandom,
  kVarOne,
  kVarOneOther,
  kVarAll,
  kVarAllOther,
  kCoverage,
  kCoverageStrength,
  kUnprotected,
  kRacy,
  kSync,
  kFile,
};
inline constexpr std::string_view kFreePlacementNames[] = {
    "random",      "var-one", "var-one+other", "var-all", "var-all+other", "coverage", "coverage+strength",
    "unprotected", "racy",    "sync",          "places"};

struct NoiseConfig {
  bool on = false;
  bool random = false;  // everything is drawn again for each run
  NoiseSeeding seeding = NoiseSeeding::kYield;
  std::uint32_t frequency = 50;  // per mille
  std::uint32_t strength = 0;    // 0: the default of the seeding
  FreePlacement placement = FreePlacement::kRandom;
  bool by_frequency = false;  // coverage placements: prob=nfreq
  bool tampers = false;
  bool halts = false;
  std::uint32_t cpus = 0;   // processors that a run may use; 0: all
  std::uint32_t load = 0;   // threads of the tool that use up processor time beside the run
  std::string places_file;  // of kFile

  [[nodiscard]] std::uint32_t strength_or_default() const;
  // As it is written on the command line.
  [[nodiscard]] std::string text() const;
  // Placements that need to know what the program does: their first run is without noise.
  [[nodiscard]] bool learns() const;
};

// The largest strength of a seeding: yields, microseconds or turns of a loop.
std::uint32_t most_strength(NoiseSeeding seeding);
Result<NoiseConfig> parse_noise(std::string_view text);
// The configuration of run `number`: itself, or drawn from (seed, number).
NoiseConfig noise_of_run(const NoiseConfig& config, std::uint64_t seed, std::uint64_t number);

}  // namespace ravel
