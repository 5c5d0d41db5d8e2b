// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sizes are rounded to classes so that a freed block fits any later request of its class: 16-byte steps up to 128
// bytes, then four steps to each doubling. Blocks up to 32 KiB count bytes, longer ones (runs) count spans of 64 KiB.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::rt {

inline constexpr std::size_t kGranule = 16;
inline constexpr std::size_t kSpanBytes = std::size_t{1} << 16;
inline constexpr std::size_t kMaxSmall = std::size_t{32} << 10;  // payload of the largest small block

// Four steps to each doubling over units 1, 2, 3 ... : class 0..3 are 1..4 units, then 5, 6, 7, 8, 10, 12, 14, 16 ...
constexpr unsigned step_class(std::uint64_t units) {
  if (units <= 4) return static_cast<unsigned>(units == 0 ? 0 : units - 1);
  const unsigned doubling = 61u - static_cast<unsigned>(__builtin_clzll(units - 1));  // 5..8 -> 0, 9..16 -> 1
  const std::uint64_t step = std::uint64_t{1} << doubling;
  const std::uint64_t start = step << 2;
  return 4 + doubling * 4 + static_cast<unsigned>((units - start + step - 1) / step) - 1;
}

constexpr std::uint64_t step_units(unsigned cls) {
  if (cls < 4) return cls + 1;
  const unsigned doubling = (cls - 4) / 4;
  return (std::uint64_t{4} << doubling) + (std::uint64_t{(cls - 4) % 4 + 1} << doubling);
}

constexpr unsigned small_class(std::size_t bytes) {
  return step_class((bytes + kGranule - 1) / kGranule);
}
constexpr std::size_t small_bytes(unsigned cls) {
  return step_units(cls) * kGranule;
}
inline constexpr unsigned kSmallClasses = small_class(kMaxSmall) + 1;

constexpr unsigned run_class(std::size_t spans) {
  return step_class(spans);
}
constexpr std::size_t run_spans(unsigned cls) {
  return step_units(cls);
}
inline constexpr unsigned kRunClasses = run_class(std::size_t{1} << 20) + 1;

static_assert(small_bytes(kSmallClasses - 1) == kMaxSmall);
static_assert(small_bytes(small_class(1)) == 16 && small_bytes(small_class(65)) == 80 &&
              small_bytes(small_class(129)) == 160);
static_assert(run_spans(run_class(17)) == 20 && run_class(16) + 1 == run_class(17));

}  // namespace ravel::rt
