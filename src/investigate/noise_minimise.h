// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which places have to be noised for a failure to show: places are left out by halves while the failure ratio stays
// above half of what it was. What is left is a list for `place=places:FILE'.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "investigate/free_campaign.h"

namespace ravel {

inline constexpr std::uint64_t kMinimiseRuns = 20;  // a step

struct NoiseMinimum {
  std::uint64_t failed = 0;  // with all places
  std::uint64_t runs = 0;
  std::vector<std::string> all;
  std::vector<std::string> places;  // that are left
  std::uint64_t failed_left = 0;    // with these alone
  std::uint64_t runs_left = 0;
  std::uint64_t steps = 0;
  bool complete = true;  // false: interrupted, or out of time
};

// `file` is written for each step, and has the result at the end.
Result<NoiseMinimum> minimise_noise(const FreeCampaignRequest& base, const ProgramImage& image,
                                    const std::string& file);

// Leaves out parts of `all` as long as `still_fails` says so: halves first, then quarters, to single places.
// Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002.
std::vector<std::string> leave_out(std::vector<std::string> all,
                                   const std::function<bool(const std::vector<std::string>&)>& still_fails);

}  // namespace ravel
