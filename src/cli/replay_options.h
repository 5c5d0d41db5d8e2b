// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `ravel replay` was asked to do, and the table of its options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/run_options.h"

namespace ravel {

struct ReplayArguments {
  std::optional<PolicySpec> then;  // goes on with it after a divergence
  std::uint64_t until = 0;         // stop before this event; 0: never
  std::uint32_t times = 1;
  std::optional<std::uint64_t> detectors;  // unset: the default, and what the plan is about
  bool gdb = false;
  std::string gdb_arguments;  // for an editor that drives gdb; separated by blanks
  CoverageRequest coverage;
  std::vector<std::string> coverage_jobs;
  std::string coverage_file;
  std::string trace;
  std::string json;
  FormatChoice formats;
  bool quiet = false;
  bool show_output = false;
  ColorMode color = ColorMode::kAuto;
};

std::span<const OptionRow<ReplayArguments>> replay_option_table();

}  // namespace ravel
