// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What PolicySpec::depth says of policies that have no depth; every other number is their usual form.
#pragma once

#include <cstdint>

namespace ravel {

// kPos: threads do not begin as long as somebody is about to create another one. Otherwise who is created first is
// ahead of the others by as many steps as it takes to create them, whatever its priority is.
inline constexpr std::uint16_t kStartTogether = 1;
// kPreempt: where the thread that ran cannot go on any thread may come next, not the first in a fixed order. A thread
// that was woken can then be overtaken without a preemption.
inline constexpr std::uint16_t kAnyOrder = 1;
// kGuided: what ranks threads that do not observe the next place.
inline constexpr std::uint16_t kByDistance = 0;
inline constexpr std::uint16_t kByRandom = 1;
inline constexpr std::uint16_t kByPreferred = 2;
inline constexpr std::uint16_t kByProperty = 3;  // how far the values in memory are from a failure
// kSliced: bits.
inline constexpr std::uint16_t kSliceWhole = 1u << 0;  // every thread and every point: what `match=states' searches
inline constexpr std::uint16_t kSliceLines = 1u << 1;  // a thread is not interrupted within a line
inline constexpr std::uint16_t kSliceSymmetry =
    1u << 2;  // of threads that differ in nothing, and have done nothing, the first
inline constexpr std::uint16_t kSliceRandom = 1u << 3;  // any of them first, by `seed`; else the one that ran

}  // namespace ravel
