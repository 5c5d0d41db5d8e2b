// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The orders of conflicting accesses in a finding's schedule, for the console of a search by value schedules.
#pragma once

#include <string>
#include <vector>

#include "report/values_text.h"

namespace ravel {

// One line each, at most so many, of a saved plan that is run once more; empty when it cannot be.
std::vector<std::string> orders_of_plan(const std::string& plan, std::size_t most);

ValuePlaces places_of(const std::string& program, const ValueCounts& counts);

}  // namespace ravel
