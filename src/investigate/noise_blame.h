// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which noise goes with a failure, and lists of places by name. A place is blamed by Fisher's exact test over runs with
// and without noise at it, with Holm's correction for the number of places.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/text/result.h"
#include "report/free_report.h"

namespace ravel {

// By place: runs with noise at it, by number of the finding; every other number stands for passing runs.
using NoiseByPlace = std::map<std::string, std::map<std::size_t, std::uint64_t>>;

// At most three, and only those that are not by chance (p below 0.05).
std::vector<NoiseBlame> blame_of(const NoiseByPlace& noised, std::size_t finding, std::uint64_t failing,
                                 std::uint64_t passing);

// One file:line per line; empty lines and those that begin with `#' are left out.
Result<std::vector<std::string>> read_place_list(const std::string& path);
// `place' is one of them, or ends in one behind a slash.
bool is_listed(const std::vector<std::string>& list, const std::string& place);

}  // namespace ravel
