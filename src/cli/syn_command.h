// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn`: one file per verb.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/run_options.h"
#include "model/text/syn_text.h"
#include "report/stamps.h"

namespace ravel {

struct SynArguments {
  SynForm form = SynForm::kTotal;
  bool simple = false;
  bool needed = false;
  std::optional<StampScheme> stamps;
  std::string svg;
  std::string output;  // file of show and convert, folder of record and of test's plans
  std::string strategy;
  std::optional<std::uint64_t> iterations;
  std::uint64_t until_steady = 0;  // executions without a new sequence after which recording ends; 0: one campaign
  std::chrono::milliseconds time = std::chrono::milliseconds(10'000);
  std::string json;
  std::string valid;  // specification for test and record
  bool quiet = false;
  ColorMode color = ColorMode::kAuto;
};

int syn_command(const Arguments& args);
CommandPage syn_page();

// The verbs; `words` are those behind the verb.
int syn_show(const SynArguments& arguments, const Arguments& words, const Arguments& program);
int syn_convert(const SynArguments& arguments, const Arguments& words, const Arguments& program);
int syn_test(const SynArguments& arguments, const Arguments& words, const Arguments& program);
int syn_races(const SynArguments& arguments, const Arguments& words, const Arguments& program);
int syn_record(const SynArguments& arguments, const Arguments& words, const Arguments& program);

}  // namespace ravel
