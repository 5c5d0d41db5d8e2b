// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// See option_setters.h.
#include "cli/option_setters.h"

#include <algorithm>

namespace ravel {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = number_of<std::uint64_t>(text.substr(0, digits), 1'000'000'000);
  const std::string_view unit = text.substr(digits);
  if (!number || *number == 0) return std::nullopt;
  const std::int64_t n = static_cast<std::int64_t>(*number);
  if (unit == "ms") return std::chrono::milliseconds(n);
  if (unit == "s" || unit.empty()) return std::chrono::seconds(n);
  if (unit == "m") return std::chrono::minutes(n);
  if (unit == "h") return std::chrono::hours(n);
  return std::nullopt;
}

}  // namespace ravel
