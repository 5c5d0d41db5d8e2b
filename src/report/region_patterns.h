// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The functions that `--regions' names (and `--coverage-jobs'): their code, found by name in the program's symbols. A
// pattern is the whole readable name without parameters; `*' stands for any text.
#pragma once

#include <string>
#include <vector>

#include "driver/session.h"
#include "model/text/result.h"

namespace ravel {

// "NAME,NAME", or "@FILE": one pattern a line, `#' begins a comment. An error if the file cannot be read.
Result<std::vector<std::string>> read_region_patterns(const std::string& text, const std::string& option = "--regions");
// An error if a pattern matches nothing, or all of them too much.
Result<RegionFunctions> find_region_functions(std::vector<std::string> patterns, const std::string& program,
                                              const std::string& option = "--regions");

}  // namespace ravel
