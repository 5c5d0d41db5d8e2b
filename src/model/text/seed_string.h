// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Seed string: a plan short enough for a chat message, "rv1:" and base64url of policy, seed, points, racy locations,
// limits and, where the policy alone does not decide, the schedule. It names locations by number: it fits the build it
// was made for; plan files survive rebuilds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan.h"
#include "model/text/result.h"

namespace ravel {

inline constexpr std::string_view kSeedStringStart = "rv1:";
inline constexpr std::size_t kMaxSeedStringBytes = 64 * 1024;

struct SeedString {
  std::uint32_t build_tag = 0;  // start of the build id, 0 if unknown
  PlanSpec plan;
  std::vector<LocationId> racy;
  std::vector<Segment> prefix;
};

std::string write_seed_string(const SeedString& seed);
Result<SeedString> parse_seed_string(std::string_view text);
[[nodiscard]] bool looks_like_seed_string(std::string_view text);
// The first 32 bits of a hash over a build id.
std::uint32_t build_tag_of(std::string_view build_id);

}  // namespace ravel
