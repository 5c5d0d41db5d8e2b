// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a campaign and the treatment of its findings were asked to be, whoever asks. How the result is printed is no
// part of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "detect/detector_table.h"
#include "driver/budget.h"
#include "driver/coverage_data.h"
#include "model/plan.h"
#include "statics/sequence.h"
#include "wire/isolation.h"

namespace ravel {

inline constexpr std::uint64_t kPatience = 10'000;  // executions without anything new
inline constexpr std::chrono::milliseconds kDefaultTime{10'000};
inline constexpr std::chrono::milliseconds kDefaultMinimise{1'000};

struct CampaignRequest {
  std::string strategy;  // empty: portfolio, or dpor where everything is to be covered
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> iterations;
  std::optional<std::chrono::milliseconds> time;
  PlanSpec base;
  bool points_of_pairs = false;     // --points pairs: those of races, and every member of a static pair from the start
  std::string facts;                // file, `none', or empty: what `ravel analyze' has left, if it is of this build
  std::vector<SequencePlace> goal;  // that executions are driven along; empty: none
  std::vector<SequencePlace> targets;  // of strategy slice: reached all at once; empty: none
  std::string focus;                   // of strategy values: a place or a variable to look at first; empty: none
  bool limits_steps = false;           // --max-steps was given
  std::uint64_t detectors = default_detectors();
  std::uint64_t training = 0;    // executions
  bool names_detectors = false;  // --detect was given
  CoverageRequest coverage;
  std::vector<std::string> coverage_jobs;  // patterns of functions whose calls begin a job
  std::string coverage_file;               // empty: beside the plans
  std::vector<std::string> regions;        // patterns of functions whose calls are regions
  std::string suppressions;                // file, or `none': not even those that come with Ravel
  Isolation isolation = Isolation::kAuto;
  std::chrono::milliseconds hang{10'000};
  bool verify = false;
  bool keep_going = false;
  bool past_goal = false;  // a goal that was reached does not end the search
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
  std::string valid;        // specification that every sequence is judged by; empty: none
  std::string prefix;       // file of a sequence that every execution keeps to
  bool scratch = false;
  bool show_output = false;
  bool timelines = false;                                 // findings carry every event of their execution
  std::chrono::milliseconds minimise = kDefaultMinimise;  // for all findings together; 0: they stay as found

  [[nodiscard]] std::string strategy_or_default() const {
    return !strategy.empty()  ? strategy
           : expect_complete  ? "dpor"
           : !goal.empty()    ? "meta"
           : !targets.empty() ? "slice"
                              : "portfolio";
  }
  [[nodiscard]] std::string_view points_name() const {
    return points_of_pairs ? kPairPointsName : kPointsNames[static_cast<std::size_t>(base.points)];
  }
  // A prediction that no execution confirmed is reported to who asked for it.
  [[nodiscard]] bool asks_for(const DetectorRow& row) const {
    return names_detectors && (detectors & detector_bit(row.id)) != 0;
  }
  // The default holds when neither --iterations nor --time was given.
  [[nodiscard]] Budget budget() const;
  // Who gives no budget wants an end when nothing new comes; 0: the budget decides.
  [[nodiscard]] std::uint64_t patience() const { return iterations || time ? 0 : kPatience; }
};

}  // namespace ravel
