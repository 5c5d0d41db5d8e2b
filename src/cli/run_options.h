// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `ravel run` was asked to do, and the table of its options.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/format_output.h"
#include "cli/options.h"
#include "detect/detector_table.h"
#include "driver/budget.h"
#include "model/plan.h"
#include "wire/isolation.h"

namespace ravel {

enum class ColorMode { kAuto, kAlways, kNever };

inline constexpr std::uint64_t kDefaultIterations = 10'000;
inline constexpr std::chrono::milliseconds kDefaultTime{10'000};
inline constexpr std::chrono::milliseconds kDefaultMinimise{1'000};

struct RunOptions {
  std::string strategy;  // empty: portfolio, or dpor where everything is to be covered
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> iterations;
  std::optional<std::chrono::milliseconds> time;
  PlanSpec base;
  std::uint64_t detectors = default_detectors();
  std::uint64_t training = 0;        // executions
  bool names_detectors = false;      // --detect was given
  std::vector<std::string> regions;  // patterns of functions whose calls are regions
  std::string suppressions;          // file, or `none': not even those that come with Ravel
  Isolation isolation = Isolation::kAuto;
  std::chrono::milliseconds hang{10'000};
  bool verify = false;
  bool keep_going = false;
  bool expect_complete = false;
  bool allow_vacuous = false;
  int expect_exit = 0;
  std::uint32_t jobs = 1;
  std::uint32_t shard_index = 0;  // of shard_count campaigns that share the work
  std::uint32_t shard_count = 1;
  std::string output = ".ravel";
  bool saved_first = true;  // plans that are there already are tried before anything else
  std::string dependence;   // of clock-vector: access or object
  std::string checkpoint;   // file that keeps the search
  std::string resume;       // ... that has kept one
  std::string stdin_file;   // path, "-", or empty: as it comes
  bool scratch = false;
  std::string json;
  FormatChoice formats;
  bool quiet = false;
  bool show_output = false;
  ColorMode color = ColorMode::kAuto;
  std::chrono::milliseconds minimise = kDefaultMinimise;  // for all findings together; 0: they stay as found

  [[nodiscard]] std::string strategy_or_default() const {
    return !strategy.empty() ? strategy : expect_complete ? "dpor" : "portfolio";
  }
  // A prediction that no execution confirmed is told to who asked for it.
  [[nodiscard]] bool asks_for(const DetectorRow& row) const {
    return names_detectors && (detectors & detector_bit(row.id)) != 0;
  }
  // Both defaults hold when neither was given; one given alone lifts the other.
  [[nodiscard]] Budget budget() const;
};

std::span<const OptionRow<RunOptions>> run_option_table();

// "500ms", "10s", "2m", "1h"; a bare number is seconds.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
// Empty when the strategy exists and takes these parameters; else what is wrong, with near names.
std::string check_strategy(const std::string& text);
// Empty when all names are known.
std::string set_detectors(std::uint64_t& detectors, const std::string& list);
std::string set_color(ColorMode& mode, const std::string& value);

}  // namespace ravel
