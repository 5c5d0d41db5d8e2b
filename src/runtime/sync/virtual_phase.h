// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Latches and barriers whose arrivals need not wait (semantics/phase.h).
#pragma once

#include <cstdint>

#include "model/event.h"
#include "ravel/interface.h"

namespace ravel::rt {

// The phase that it arrived in.
std::uint32_t phase_arrive(ravel_phase* phase, bool drops, bool& ended, LocationId location);
void phase_wait(ravel_phase* phase, std::uint32_t which, LocationId location);
[[nodiscard]] bool phase_is_over(ravel_phase* phase, std::uint32_t which, LocationId location);

}  // namespace ravel::rt
