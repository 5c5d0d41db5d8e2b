// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `--focus`: the places of the program that a search looks at first, as its strategy is told (StaticFacts::focus).
#pragma once

#include <string>
#include <vector>

#include "model/event.h"
#include "model/text/result.h"
#include "statics/facts.h"
#include "statics/place_match.h"
#include "statics/user_places.h"

namespace ravel {

// `text` is a place (file:line[:column]) or a variable. Sorted; the first is 0 if it is a variable. An error lists
// what is near: a focus that is in no pair has no orders.
Result<std::vector<LocationId>> focus_locations(const std::string& text, const Facts& facts, const PlaceMatch& match,
                                                const std::vector<UserPlace>& places, const std::string& program);

}  // namespace ravel
