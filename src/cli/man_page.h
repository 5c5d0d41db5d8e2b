// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Manual pages as roff, made from the tables of commands and options.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/options.h"

namespace ravel {

// ravel-run(1) and the like; `description` is the command's line in the list of commands.
std::string man_page(const CommandPage& page, std::string_view description);
// ravel(1).
std::string man_overview(std::span<const CommandRow> commands);
// "ravel-run"; c++ is ravel-c++.
std::string man_name(std::string_view command);

}  // namespace ravel
