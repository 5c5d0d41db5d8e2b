// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Strategies by name: what each of them is, and how one is made from "name,key=value,...".
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>

#include "causality/observer.h"
#include "explore/parameters.h"
#include "explore/roles.h"
#include "explore/strategy.h"
#include "model/coverage.h"

namespace ravel {

// What a campaign that ends by itself has covered.
enum class Coverage : std::uint8_t {
  kSamples,     // promises nothing
  kBounded,     // a part that it can name; a budget that ends first is inconclusive
  kEverything,  // every behaviour; likewise
};

enum class Reduction : std::uint8_t {
  kNone,         // every schedule is one
  kAtLeastOnce,  // schedules that the dependence table calls equivalent may be left out
  kExactlyOnce,  // one execution for each behaviour
};

// Several processes.
enum class Jobs : std::uint8_t {
  kParts,       // each has a part of its own
  kOneProcess,  // one process does it all
  kOneTree,     // all search one tree (StrategyOptions::search)
};

// Bits of StrategyRow::roles.
inline constexpr std::uint8_t kWatchesEvents = 1u << 0;  // StrategyParts::watcher
inline constexpr std::uint8_t kSharesSearch = 1u << 1;   // StrategyParts::shared
inline constexpr std::uint8_t kHandsOver = 1u << 2;      // StrategyParts::target

// A strategy and its roles; null: it does not have the role. All of them are one object.
struct StrategyParts {
  Strategy* strategy = nullptr;
  Observer* watcher = nullptr;
  SharedSearch* shared = nullptr;
  TargetPlan* target = nullptr;
};

struct StrategyRow {
  std::string_view name;
  std::string_view description;  // one line, shown by `ravel list`
  // strategy == nullptr when the options do not fit; then `error` is set to a static text.
  StrategyParts (*create)(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
  std::span<const Parameter> parameters{};
  Coverage coverage = Coverage::kSamples;
  Reduction reduction = Reduction::kNone;
  Jobs jobs = Jobs::kParts;
  std::uint8_t roles = 0;
  bool searches_tree = coverage != Coverage::kSamples;  // of one set of points: its growth restarts the search
  bool hosts_dpor = false;      // the first of several processes also runs dpor, which may cover everything alone
  bool tries_warnings = false;  // makes use of StaticFacts::tries
  bool takes_pairs = false;     // makes use of the pairs of StaticFacts, and of what can be reached
  bool by_tasks = false;        // goes by the tasks of a metric, its parameter `metric`
  bool follows_goal = false;    // needs StaticFacts::guide
  bool needs_target = false;    // each round says what to interleave: Guide::slice
  bool from_plan = false;       // works on a given schedule; the points are the plan's and never grow

  [[nodiscard]] constexpr bool promises() const { return coverage != Coverage::kSamples; }
  [[nodiscard]] constexpr bool reduces() const { return reduction != Reduction::kNone; }
};

// Those that a user can ask for.
std::span<const StrategyRow> strategy_table();
// Of all, also those that work on a plan and its fixed set of points (from_plan). `text` may have parameters behind the
// name.
const StrategyRow* find_strategy(std::string_view text);
// kCount: it goes by none, or the parameters are wrong.
MetricId metric_of_strategy(std::string_view text);
// Of a strategy with its parameters.
bool can_share_a_tree(std::string_view text);

// Why there is no strategy.
struct StrategyProblem {
  std::string_view error{};  // static; empty: `parameter` says it
  ParameterProblem parameter{};
};

// A strategy from its name and parameters; `options.parameters` are taken from `text`. strategy == nullptr: see
// `problem`.
StrategyParts open_strategy(std::string_view text, std::pmr::memory_resource& memory, StrategyOptions options,
                            StrategyProblem& problem);

}  // namespace ravel
