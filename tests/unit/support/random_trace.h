// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Random legal traces: locks are free when they are taken, semaphores have units, joined threads have ended. Few places
// and many kinds of operation, so that every rule meets every other one often.
#pragma once

#include <cstdint>
#include <vector>

#include "model/event.h"

namespace ravel::testing {

std::vector<Event> random_trace(std::uint64_t seed, std::size_t length);

}  // namespace ravel::testing
