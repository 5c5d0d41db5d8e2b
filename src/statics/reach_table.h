// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which members of pairs can still be reached from every call of the user's code, by the facts' code graph, as the
// worker sees it (model/reach.h); and which threads a call creates.
//
// By lines: two compilers differ in the order of what one line does, so a line reaches all of itself. Partial facts
// have gaps that nobody knows the size of: then nothing is said to be out of reach.
#pragma once

#include <vector>

#include "model/reach.h"
#include "statics/facts.h"
#include "statics/user_places.h"

namespace ravel {

struct ReachLists {
  std::vector<ReachPlace> places;
  std::vector<LocationId> columns;
  std::vector<std::uint32_t> words;
  std::vector<ReachCreation> creations;
  std::vector<LocationId> focus;  // not of make_reach: what a search is to look at first, sorted
};

// `places`: of the program, by location.
ReachLists make_reach(const Facts& facts, const std::vector<UserPlace>& places);

}  // namespace ravel
