// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual futexes: what std::counting_semaphore, latch, barrier, atomic::wait and futures block on. Results as of the
// system call: negative errno numbers.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

long futex_wait(std::uint32_t* word, std::uint32_t expected, std::uint32_t bits, std::uint64_t deadline,
                LocationId location);
long futex_wake(std::uint32_t* word, std::int32_t count, std::uint32_t bits, LocationId location);

}  // namespace ravel::rt
