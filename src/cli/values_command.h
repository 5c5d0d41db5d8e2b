// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel values`: one file per verb.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/run_options.h"
#include "investigate/value_search.h"

namespace ravel {

struct ValuesArguments {
  bool contexts = false;
  std::string variable;
  bool check = false;
  std::uint64_t most = 10'000;
  unsigned instances = 0;
  std::string output;  // file of show, folder of plans of run and pairs
  std::string strategy = "dpor";
  std::optional<std::uint64_t> iterations;
  std::chrono::milliseconds time = std::chrono::milliseconds(10'000);
  std::string json;
  bool quiet = false;
  ColorMode color = ColorMode::kAuto;
};

int values_command(const Arguments& args);
CommandPage values_page();

// The verbs; `words` are those behind the verb.
int values_show(const ValuesArguments& arguments, const Arguments& words, const Arguments& program);
int values_run(const ValuesArguments& arguments, const Arguments& words, const Arguments& program);
int values_list(const ValuesArguments& arguments, const Arguments& words, const Arguments& program);
int values_pairs(const ValuesArguments& arguments, const Arguments& words, const Arguments& program);

ValueSearchRequest search_request(const ValuesArguments& arguments, const Arguments& program);

}  // namespace ravel
