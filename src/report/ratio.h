// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A ratio of runs with its uncertainty.
#pragma once

#include <cstdint>
#include <string>

namespace ravel {

struct Interval {
  double low = 0;
  double high = 1;
};

// Wilson's score interval of 95 % (Wilson, "Probable inference", JASA 1927).
Interval wilson(std::uint64_t hits, std::uint64_t of);
// "0.5 %, 95 %: 0.1 to 2.6 %".
std::string ratio_text(std::uint64_t hits, std::uint64_t of);
// "0.1 to 2.6 %".
std::string interval_text(std::uint64_t hits, std::uint64_t of);

}  // namespace ravel
