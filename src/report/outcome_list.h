// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The list of `ravel outcomes`: every combination of observed values that executions ended with, and what two such
// lists have not in common. Values only; the command prints them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "driver/execution_record.h"
#include "model/text/result.h"
#include "report/style.h"

namespace ravel {

struct OutcomeRow {
  std::string kind;  // "completed", "deadlock", ...
  std::vector<Observation> observations;
  std::uint64_t count = 0;  // executions that ended so
  std::string plan;         // file

  // "x=1 y=0", or what stands for nothing
  [[nodiscard]] std::string text() const;
};

struct OutcomesReport {
  std::string program;
  std::vector<std::string> arguments;
  std::string build_id;
  std::string strategy;
  std::vector<std::pair<std::string, std::string>> conventions;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool complete = false;
  double seconds = 0;
  std::string note;
  std::string reason;  // of an exit code that is not 0
  ExitCode exit_code = kExitClean;
  std::vector<OutcomeRow> rows;            // by kind and values
  std::vector<std::string> not_confirmed;  // did not come again in a fresh process
};

std::string json_of(const OutcomesReport& report);
Result<OutcomesReport> outcomes_from_json(const std::string& text, const std::string& name);
std::string console_outcomes(const OutcomesReport& report, const Style& style);

struct OutcomesDifference {
  std::vector<OutcomeRow> added;
  std::vector<OutcomeRow> removed;
  std::uint64_t kept = 0;
  std::vector<std::string> notes;  // what makes it doubtful

  [[nodiscard]] bool empty() const { return added.empty() && removed.empty(); }
};

OutcomesDifference difference_of(const OutcomesReport& before, const OutcomesReport& after);
std::string json_of(const OutcomesDifference& difference, int exit_code);
std::string console_difference(const OutcomesDifference& difference, const Style& style);

}  // namespace ravel
