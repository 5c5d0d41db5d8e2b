// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Parameters of strategies in words: what `ravel list' shows, and what is wrong with a command line.
#pragma once

#include <span>
#include <string>

#include "explore/parameters.h"

namespace ravel {

// "depth=N, 1 to 64, default 3", "sets=optimal or sets=source, default optimal".
std::string parameter_values(const Parameter& parameter);
// Of a text that parse_parameters() does not accept.
std::string problem_text(const ParameterProblem& problem, std::span<const Parameter> table, std::string_view text);

}  // namespace ravel
