// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The conditions before a failing place as a property that can be evaluated while the program runs (model/property.h).
// Conditions that speak of anything but global variables and constants are left out: of these nothing is known outside
// of the thread that checks them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/property.h"
#include "statics/facts.h"
#include "symbols/data_symbols.h"

namespace ravel {

using Properties = std::vector<PropertyStep>;

// Where a variable of a condition is, and how many bytes are meant.
using VariablePlaces = std::map<std::string, DataSymbol>;

// "x > 6", "(a + b) <= limit", "stop", "!stop"; `holds`: or its opposite. Nothing: it cannot be evaluated.
std::optional<Properties> property_of(std::string_view condition, bool holds, const VariablePlaces& variables);

// Of each target: all conditions before it; of several targets: the nearest. Empty: no condition can be evaluated.
Properties property_before(const Facts& facts, const std::vector<std::vector<unsigned>>& targets,
                           const VariablePlaces& variables);

// The parts of memory that the facts name and the program's file has.
VariablePlaces variables_of(const Facts& facts, const std::string& program);

}  // namespace ravel
