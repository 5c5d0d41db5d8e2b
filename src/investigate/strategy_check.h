// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether a text names a strategy and parameters that it takes.
#pragma once

#include <optional>
#include <string>

#include "explore/heuristics.h"

namespace ravel {

// Empty when the strategy exists and takes these parameters; else what is wrong, with near names.
std::string check_strategy(const std::string& text);

// Of a strategy that exists: what best-first goes by; nothing: it is another one.
std::optional<Heuristic> best_first_by(const std::string& strategy);
// It goes by the conditions before a failing place, which are static facts.
bool searches_property(const std::string& strategy);

}  // namespace ravel
