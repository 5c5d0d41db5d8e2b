// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/noise_config.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <vector>

#include "model/text/near_names.h"
#include "model/text/words.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostCpus = 1024;
constexpr std::uint32_t kMostLoad = 256;
constexpr std::uint32_t kFrequencies[] = {50, 100, 150, 200};  // more degrades too much
constexpr FreePlacement kDrawnPlacements[] = {
    FreePlacement::kRandom, FreePlacement::kVarOne,   FreePlacement::kVarOneOther, FreePlacement::kVarAll,
    FreePlacement::kSync,   FreePlacement::kCoverage, FreePlacement::kUnprotected};

tl::unexpected<Error> wrong(std::string_view word, const std::string& why) {
  return usage_error(fmt::format("`{}'", word), "", why);
}

std::string name_problem(std::string_view word, std::span<const std::string_view> names) {
  std::string all;
  for (std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return near_hint(word, names, "one of " + all);
}

Result<void> set_number(std::uint32_t& field, std::string_view name, std::string_view value, std::uint32_t least,
                        std::uint32_t most, std::string_view unit) {
  const auto number = number_of<std::uint64_t>(value, most);
  if (!number || *number < least) {
    return wrong(fmt::format("{}={}", name, value), fmt::format("a number from {} to {} ({})", least, most, unit));
  }
  field = static_cast<std::uint32_t>(*number);
  return {};
}

std::string_view unit_of(NoiseSeeding seeding) {
  if (seeding == NoiseSeeding::kSleep || seeding == NoiseSeeding::kWait) return "microseconds";
  return seeding == NoiseSeeding::kBusyWait ? "turns of a loop" : "times";
}

Result<void> set_place(NoiseConfig& config, std::string_view value) {
  if (value.starts_with("places:") && value.size() > 7) {
    config.placement = FreePlacement::kFile;
    config.places_file = value.substr(7);
    return {};
  }
  const auto names = std::span(kFreePlacementNames).first(std::size(kFreePlacementNames) - 1);
  const auto index = index_of(names, value);
  if (!index) return wrong(fmt::format("place={}", value), name_problem(value, names) + ", or places:FILE");
  config.placement = static_cast<FreePlacement>(*index);
  return {};
}

Result<void> set_word(NoiseConfig& config, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
  if (word == "tt") {
    config.tampers = true;
  } else if (word == "ht") {
    config.halts = true;
  } else if (name == "freq") {
    return set_number(config.frequency, name, value, 0, kPerMille, "per mille of the operations");
  } else if (name == "strength") {
    return set_number(config.strength, name, value, 1, most_strength(config.seeding), unit_of(config.seeding));
  } else if (name == "cpus") {
    return set_number(config.cpus, name, value, 1, kMostCpus, "processors");
  } else if (name == "load") {
    return set_number(config.load, name, value, 1, kMostLoad, "threads that are busy beside it");
  } else if (name == "place") {
    return set_place(config, value);
  } else if (name == "prob" && (value == "biased" || value == "nfreq")) {
    config.by_frequency = value == "nfreq";
  } else {
    constexpr std::string_view kWords[] = {"freq", "strength", "place", "prob", "tt", "ht", "cpus", "load"};
    return wrong(word, name == "prob" ? "prob=biased or prob=nfreq" : name_problem(name, kWords));
  }
  return {};
}

}  // namespace

std::uint32_t most_strength(NoiseSeeding seeding) {
  if (seeding == NoiseSeeding::kSleep || seeding == NoiseSeeding::kWait) return 1'000'000;
  return seeding == NoiseSeeding::kBusyWait ? 10'000'000 : 1'000;
}

std::uint32_t NoiseConfig::strength_or_default() const {
  if (strength != 0) return strength;
  if (seeding == NoiseSeeding::kSleep || seeding == NoiseSeeding::kWait) return 100;
  return seeding == NoiseSeeding::kBusyWait ? 2'000 : 10;
}

bool NoiseConfig::learns() const {
  return on && !random && placement != FreePlacement::kRandom && placement != FreePlacement::kSync;
}

std::string NoiseConfig::text() const {
  if (!on) return "none";
  if (random) return "random";
  std::string out = fmt::format("{},freq={},strength={}", kSeedingNames[static_cast<std::size_t>(seeding)], frequency,
                                strength_or_default());
  if (placement == FreePlacement::kFile) {
    out += ",place=places:" + places_file;
  } else if (placement != FreePlacement::kRandom) {
    out += fmt::format(",place={}", kFreePlacementNames[static_cast<std::size_t>(placement)]);
  }
  if (by_frequency) out += ",prob=nfreq";
  if (tampers) out += ",tt";
  if (halts) out += ",ht";
  if (cpus != 0) out += fmt::format(",cpus={}", cpus);
  if (load != 0) out += fmt::format(",load={}", load);
  return out;
}

Result<NoiseConfig> parse_noise(std::string_view text) {
  NoiseConfig config;
  config.on = true;
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  if (words[0] == "random") {
    config.random = true;
    if (words.size() > 1) return wrong(words[1], "random draws everything: nothing can be given beside it");
    return config;
  }
  const auto seeding = index_of(kSeedingNames, words[0]);
  if (!seeding) {
    std::vector<std::string_view> names = {"random"};
    names.insert(names.end(), std::begin(kSeedingNames), std::end(kSeedingNames));
    return wrong(words[0], name_problem(words[0], names));
  }
  config.seeding = static_cast<NoiseSeeding>(*seeding);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (auto set = set_word(config, words[i]); !set) return tl::make_unexpected(set.error());
  }
  return config;
}

NoiseConfig noise_of_run(const NoiseConfig& config, std::uint64_t seed, std::uint64_t number) {
  if (!config.random) return config;
  Random random(derive_seed(seed, number));
  NoiseConfig drawn;
  drawn.on = true;
  drawn.seeding = static_cast<NoiseSeeding>(random.below(std::size(kSeedingNames)));
  drawn.frequency = kFrequencies[random.below(std::size(kFrequencies))];
  // Strengths from weak to strong by powers of two around the default.
  const std::uint32_t usual = drawn.strength_or_default();
  drawn.strength = std::max<std::uint32_t>(1, usual / 8 << random.below(6));
  drawn.placement = kDrawnPlacements[random.below(std::size(kDrawnPlacements))];
  drawn.halts = random.below(4) == 0;
  return drawn;
}

}  // namespace ravel
