// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/ratio.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ravel {

Interval wilson(std::uint64_t hits, std::uint64_t of) {
  if (of == 0) return {};
  constexpr double kZ = 1.959963984540054;  // 97.5 % of the normal distribution
  const double n = static_cast<double>(of);
  const double p = static_cast<double>(hits) / n;
  const double middle = p + kZ * kZ / (2 * n);
  const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  const double all = 1 + kZ * kZ / n;
  return {hits == 0 ? 0 : std::max(0.0, (middle - half) / all), hits == of ? 1 : std::min(1.0, (middle + half) / all)};
}

std::string interval_text(std::uint64_t hits, std::uint64_t of) {
  const Interval interval = wilson(hits, of);
  return fmt::format("{:.1f} to {:.1f} %", 100 * interval.low, 100 * interval.high);
}

std::string ratio_text(std::uint64_t hits, std::uint64_t of) {
  const double percent = of == 0 ? 0 : 100 * static_cast<double>(hits) / static_cast<double>(of);
  return fmt::format("{:.1f} %, 95 %: {}", percent, interval_text(hits, of));
}

}  // namespace ravel
