// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Options of a command as one table: name, value, help, and the function that stores a value or says what is wrong
// with it. The table feeds the parser (CLI11), the help text, the manual page, the shells' completion, RAVEL_OPTIONS
// and ravel.toml, so they cannot differ.
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
  std::vector<std::string> (*words)() = nullptr;                   // what the value can be, where that is known
};

// What kind of value it is, by its name in the table.
enum class ValueKind { kFlag, kNumber, kTime, kPath, kWord, kList, kFormats };
ValueKind kind_of_value(std::string_view value);

// An option that was given somewhere: on the command line, in RAVEL_OPTIONS or in a file.
struct GivenOption {
  std::string name;   // "--seed"
  std::string value;  // of a flag: empty, or a truth value
  std::string where;  // "ravel.toml:3"; empty: the command line
};

struct CommandLine {
  Arguments positional;  // words before the program that are not options
  Arguments program;     // the tested program and its arguments
  bool help = false;
  std::vector<GivenOption> given;  // in the order in which they are stored; of each name the last counts
};

// Where the command's own words end.
enum class ProgramStartsAt { kFirstWord, kDoubleDash };

struct CommandSyntax {
  std::string_view command;  // "run"
  std::string_view usage;    // "[options] [--] PROGRAM [ARGUMENTS...]"
  std::string_view about;
  ProgramStartsAt program = ProgramStartsAt::kFirstWord;
  std::string_view exit_codes = {};  // "0 no defect, 1 defect, ..."
};

struct BoundOption {
  std::string_view name;
  std::string_view value;
  std::string_view help;
  std::function<std::string(const std::string&)> set;
  std::vector<std::string> (*words)() = nullptr;
};

// All that can be said about a command: for help, manual page and completion.
struct CommandPage {
  CommandSyntax syntax;
  std::vector<BoundOption> options;  // `set` is empty
  bool configured = false;           // its options may come from RAVEL_OPTIONS and ravel.toml
};

// The words of a command line, nothing stored yet.
Result<CommandLine> read_words(const CommandSyntax& syntax, std::span<const BoundOption> options,
                               const Arguments& args);
// Stores what was given: first what stands for less. The line says what was wrong with a value.
Result<void> store_options(std::span<const BoundOption> options, std::span<const GivenOption> given);
// Both, without environment and files.
Result<CommandLine> parse_command_line(const CommandSyntax& syntax, std::span<const BoundOption> options,
                                       const Arguments& args);
std::string help_text(const CommandSyntax& syntax, std::span<const BoundOption> options);

template <class Options>
std::vector<BoundOption> bind_options(std::span<const OptionRow<Options>> rows, Options& options) {
  std::vector<BoundOption> bound;
  for (const auto& row : rows) {
    bound.push_back({row.name, row.value, row.help,
                     [&options, set = row.set](const std::string& v) { return set(options, v); }, row.words});
  }
  return bound;
}

template <class Options>
CommandPage page_of(const CommandSyntax& syntax, std::span<const OptionRow<Options>> rows) {
  CommandPage page{syntax, {}, false};
  for (const auto& row : rows) page.options.push_back({row.name, row.value, row.help, {}, row.words});
  return page;
}

}  // namespace ravel
