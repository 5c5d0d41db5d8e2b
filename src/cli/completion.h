// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Completion for shells, made from the tables of commands and options.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options.h"

namespace ravel {

// `pages` in the order of `commands`.
std::string bash_completion(std::span<const CommandRow> commands, std::span<const CommandPage> pages);
std::string zsh_completion(std::span<const CommandRow> commands, std::span<const CommandPage> pages);
std::string fish_completion(std::span<const CommandRow> commands, std::span<const CommandPage> pages);

// Words that can stand where the command's own arguments do, such as the shells of `completion`; else files can.
std::vector<std::string> argument_words(const CommandSyntax& syntax);

}  // namespace ravel
