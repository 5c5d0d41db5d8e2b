// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where options come from besides the command line: the variable RAVEL_OPTIONS, in the form of the sanitizers, and
// ravel.toml (toml_file.h). The command line stands above the variable, that above the file, that above the defaults.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"

namespace ravel {

inline constexpr char kOptionsVariable[] = "RAVEL_OPTIONS";

// With the options that every such command has: --config, --no-config, --show-config.
CommandPage configured_page(CommandPage page);
std::vector<CommandPage> all_pages();

// "iterations=1000:seed=7:keep-going". `_' stands for `-', a value may be quoted. Names that another command knows are
// left out; names that none knows are an error.
Result<std::vector<GivenOption>> parse_options_variable(std::string_view text, std::string_view command,
                                                        std::span<const CommandPage> pages);

// The beginning of a command: its words, the variable and the file are read and stored. An exit code when the command
// ends here, because of a mistake or since only help or the configuration was asked for.
std::optional<int> start_command(const CommandSyntax& syntax, const std::vector<BoundOption>& bound,
                                 const Arguments& args, CommandLine& line);

// Every option with its value and where that comes from; `given` as it was stored.
std::string configuration_text(std::span<const BoundOption> options, std::span<const GivenOption> given);

}  // namespace ravel
