// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the commands' output goes: files, the terminal and its colours.
#pragma once

#include <string>

#include "cli/run_options.h"
#include "model/text/result.h"
#include "report/style.h"

namespace ravel {

// "-" is stdout.
Result<void> write_output(const std::string& path, const std::string& text);
Style style_for(ColorMode mode, int descriptor);
// Characters of a line; 0: not a terminal, and COLUMNS does not say.
std::size_t terminal_width(int descriptor);
// What in our environment decides which tests GoogleTest runs, as words before a command; plans do not hold it.
std::string test_environment();

}  // namespace ravel
