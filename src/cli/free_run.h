// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel run --free`: the program on real threads.
#pragma once

#include <optional>

#include "cli/options.h"
#include "cli/run_options.h"

namespace ravel {

// The exit code, unless it is a campaign of controlled mode. Options that have a meaning in the other mode only are
// refused with the reason.
std::optional<int> run_free_if_asked(const RunOptions& options, const CommandLine& line);

}  // namespace ravel
