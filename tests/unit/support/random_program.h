// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small programs at random, correct in their use of the objects: two to four threads, one or two families of operations
// each, so that operations meet often.
#pragma once

#include <cstdint>

#include "support/model_program.h"

namespace ravel::toy {

// Messages that travel by themselves, in order for each sender or not.
Program random_parcel_program(std::uint64_t seed);
// Arrivals at latches and barriers, and threads that wait for a phase or look whether it is over.
Program random_phase_program(std::uint64_t seed);
// Monitors with operations of other objects inside, and choices (random_monitors.cc).
Program random_monitor_program(std::uint64_t seed);
// Fair time: waits that may end by time-out, and sleeps (random_timed.cc).
Program random_timed_program(std::uint64_t seed);
// Calls, answers and messages, with one receiver of each.
Program random_message_program(std::uint64_t seed);

// A receiver that waits for calls and for messages at once; `looks': also without waiting.
Program random_select_program(std::uint64_t seed, bool looks);
inline Program random_select_program(std::uint64_t seed) {
  return random_select_program(seed, false);
}

Program random_correct_program(std::uint64_t seed);

}  // namespace ravel::toy
