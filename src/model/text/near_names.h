// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// "did you mean": names within a small edit distance of what the user typed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

// At most three, nearest first.
std::vector<std::string_view> near_names(std::string_view word, std::span<const std::string_view> names);
// "did you mean `pct' or `pos'?", or `otherwise` when nothing is near.
std::string near_hint(std::string_view word, std::span<const std::string_view> names, std::string_view otherwise);

}  // namespace ravel
