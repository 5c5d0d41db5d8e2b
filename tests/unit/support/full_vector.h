// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An independent race detector for tests, as close to the words of the standard as possible and as slow as need be:
// every event has a full vector clock, synchronises-with is looked up by walking back through the whole trace, and
// every pair of accesses to a byte is compared. Shares no code with causality/ and detect/.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/event.h"

namespace ravel::testing {

// (object, byte) -> sequence number of the first event that completes a race on it.
using RacyBytes = std::map<std::pair<ObjectId, std::uint32_t>, std::uint64_t>;

RacyBytes races_by_full_vectors(const std::vector<Event>& events);

}  // namespace ravel::testing
