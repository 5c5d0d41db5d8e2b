// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The parts of the default strategy: for those who count what each of them brought (`ravel run --explain-strategy'),
// and for those who leave one out to see what it is worth (`--strategy portfolio,without=PART').
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace ravel {

enum class Part : std::uint8_t { kPos, kPark, kDirected, kDpor, kShared, kStatic, kCount };
inline constexpr std::size_t kPartCount = static_cast<std::size_t>(Part::kCount);

struct PartRow {
  std::string_view name;
  std::string_view what;
};
inline constexpr PartRow kPartTable[] = {
    {"pos", "partial order sampling"},
    {"park", "threads held back at one place each"},
    {"directed", "threads held back where a race, a detector or a stale atomic value points"},
    {"dpor", "every behaviour once"},
    {"shared", "partial order sampling with all shared accesses as points"},
    {"static", "threads held back where static warnings point"},
};
static_assert(std::size(kPartTable) == kPartCount);

}  // namespace ravel
