// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// PlanFile: a PlanSpec with names instead of numbers, as text a person can read and attach to a ticket
// (docs/plan-format.md). The parser is strict: unknown keys, repeated keys, numbers out of range and missing lines are
// errors with their line. A plan is data; reading one never runs anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/execution.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/text/result.h"

namespace ravel {

inline constexpr unsigned kPlanFormatVersion = 6;
inline constexpr std::size_t kMaxPlanBytes = std::size_t{256} << 20;
inline constexpr std::size_t kMaxPlanStrings = 4096;  // arguments
inline constexpr std::size_t kMaxPlanSegments = kMaxSegments;
inline constexpr std::size_t kMaxPlanRacy = kMaxRacyLocations;
inline constexpr std::size_t kMaxPlanThreads = kMaxThreads;

// A place in the source by names that survive edits elsewhere.
struct PlaceName {
  std::string function;    // innermost inlined function, as the debug information names it
  std::uint32_t line = 0;  // within the function
  std::uint32_t column = 0;
  bool operator==(const PlaceName&) const = default;
};

// A plain access that is a scheduling point, by name and, for the same build, by number.
struct RacyPlace {
  PlaceName place;
  std::string symbol;            // the function of the symbol table that holds the code
  std::uint32_t occurrence = 0;  // among the call-outs of that symbol at the same place
  std::string module;            // file name without folder
  LocationId location = 0;
  bool operator==(const RacyPlace&) const = default;
};

struct PlanThread {
  std::string lineage;
  std::string name;  // pthread_setname_np, else empty
  bool operator==(const PlanThread&) const = default;
};

// A run of equal choices and the operation that the first of them let through.
struct PlanSegment {
  bool is_data = false;
  std::uint32_t choice = 0;  // thread index, or the alternative of a data choice
  std::uint32_t count = 1;
  std::string operation;  // word of the operation table; empty: not known
  PlaceName place;
  std::string comment;  // for people; not read back
  bool operator==(const PlanSegment& other) const {
    return is_data == other.is_data && choice == other.choice && count == other.count && operation == other.operation &&
           place == other.place;
  }
};

// What the schedule costs, for searches around it.
struct PlanCost {
  std::uint32_t preemptions = 0;
  std::uint32_t switches = 0;
  bool operator==(const PlanCost&) const = default;
};

struct PlanFile {
  std::string program;                 // absolute path
  std::vector<std::string> arguments;  // without the program
  std::string cwd;
  std::string stdin_path;            // empty: /dev/null
  bool scratch = false;              // in an empty folder of its own
  std::vector<std::string> regions;  // patterns of functions whose calls are regions
  std::string build_id;
  std::string strategy;  // name[,key=value...]
  std::uint32_t strategy_version = 1;
  std::uint64_t seed = 0;  // of the campaign
  PlanSpec spec;           // policy, points, time-outs, faults, limits; counts are those of the lists below
  std::vector<RacyPlace> racy;
  std::int32_t expect_exit = 0;
  OutcomeKind outcome = OutcomeKind::kCompleted;
  std::string message;
  PlaceName outcome_place;
  std::uint64_t hash = 0;  // canonical hash of the whole trace
  std::uint64_t events = 0;
  std::optional<PlanCost> cost;
  std::vector<PlanThread> threads;  // by index
  std::vector<PlanSegment> schedule;

  [[nodiscard]] std::vector<Segment> segments() const;
};

std::string write_plan(const PlanFile& plan);
// `name` is for messages: "name:12: ...".
Result<PlanFile> parse_plan(std::string_view text, const std::string& name);

}  // namespace ravel
