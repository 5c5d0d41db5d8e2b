// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Options of a command as one table: name, value, help, and the function that stores a value or says what is wrong
// with it. The table feeds the parser (CLI11) and the help text, so they cannot differ.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "model/text/result.h"

namespace ravel {

template <class Options>
struct OptionRow {
  std::string_view name;   // "--seed"
  std::string_view value;  // "N"; empty for a flag
  std::string_view help;
  std::string (*set)(Options& options, const std::string& value);  // empty: all right; else what is wrong
};

struct CommandLine {
  Arguments positional;  // words before the program that are not options
  Arguments program;     // the tested program and its arguments
  bool help = false;
};

// Where the command's own words end.
enum class ProgramStartsAt { kFirstWord, kDoubleDash };

struct CommandSyntax {
  std::string_view command;  // "run"
  std::string_view usage;    // "[options] [--] PROGRAM [ARGUMENTS...]"
  std::string_view about;
  ProgramStartsAt program = ProgramStartsAt::kFirstWord;
};

struct BoundOption {
  std::string_view name;
  std::string_view value;
  std::string_view help;
  std::function<std::string(const std::string&)> set;
};

Result<CommandLine> parse_command_line(const CommandSyntax& syntax, std::span<const BoundOption> options,
                                       const Arguments& args);
std::string help_text(const CommandSyntax& syntax, std::span<const BoundOption> options);

template <class Options>
std::vector<BoundOption> bind_options(std::span<const OptionRow<Options>> rows, Options& options) {
  std::vector<BoundOption> bound;
  for (const auto& row : rows) {
    bound.push_back(
        {row.name, row.value, row.help, [&options, set = row.set](const std::string& v) { return set(options, v); }});
  }
  return bound;
}

}  // namespace ravel
