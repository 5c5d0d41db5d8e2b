// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How far the values in memory are from a condition, as a number that falls on the way there: the branch distance of
// search-based testing (Korel 1990; Tracey et al. 1998). 0: it holds. Comparisons count by how much a value would have
// to change, "and" is the sum, "or" the least.
//
// A property is a list of steps in postfix order. All numbers are signed.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace ravel {

enum class PropertyOp : std::uint32_t {
  kConstant,  // pushes `low`, `high`
  kMemory,    // pushes `size` bytes at offset `low`, `high` of the program's file
  kAdd,       // of the two on top
  kSubtract,
  kEqual,  // these yield a distance
  kNotEqual,
  kLess,
  kLessOrEqual,
  kBoth,    // of two distances
  kEither,  // the least
};

struct PropertyStep {
  PropertyOp op = PropertyOp::kConstant;
  std::uint32_t size = 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;

  [[nodiscard]] std::uint64_t number() const { return std::uint64_t{high} << 32 | low; }
};

inline constexpr std::uint32_t kFarthestProperty = 1u << 30;
inline constexpr std::uint32_t kMostPropertyValues = 32;  // on the stack

namespace property_parts {

inline std::int64_t clipped(std::int64_t distance) {
  return distance > kFarthestProperty ? kFarthestProperty : distance;
}

inline std::int64_t read(const unsigned char* at, std::uint32_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, size < sizeof value ? size : sizeof value);
  const std::uint32_t unused = size < sizeof value ? 64 - 8 * size : 0;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// a - b without overflow, as far as distances go.
inline std::int64_t difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return a > b ? kFarthestProperty : -std::int64_t{kFarthestProperty};
  return result;
}

inline std::int64_t combined(PropertyOp op, std::int64_t a, std::int64_t b) {
  const std::int64_t away = difference(a, b);
  switch (op) {
    case PropertyOp::kAdd:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    case PropertyOp::kSubtract:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    case PropertyOp::kEqual:
      return clipped(away < 0 ? -away : away);
    case PropertyOp::kNotEqual:
      return a != b ? 0 : 1;
    case PropertyOp::kLess:
      return a < b ? 0 : clipped(away + 1);
    case PropertyOp::kLessOrEqual:
      return a <= b ? 0 : clipped(away);
    case PropertyOp::kBoth:
      return clipped(a + b);
    case PropertyOp::kEither:
      return a < b ? a : b;
    case PropertyOp::kConstant:
    case PropertyOp::kMemory:
      break;
  }
  return 0;
}

}  // namespace property_parts

// `image`: where the program's file is mapped. A list that is none is far away.
inline std::uint32_t property_distance(std::span<const PropertyStep> steps, const unsigned char* image) {
  std::int64_t values[kMostPropertyValues];
  std::uint32_t count = 0;
  for (const PropertyStep& step : steps) {
    const bool pushes = step.op == PropertyOp::kConstant || step.op == PropertyOp::kMemory;
    if (pushes ? count == kMostPropertyValues || image == nullptr : count < 2) return kFarthestProperty;
    if (step.op == PropertyOp::kConstant) {
      values[count++] = static_cast<std::int64_t>(step.number());
    } else if (step.op == PropertyOp::kMemory) {
      values[count++] = property_parts::read(image + step.number(), step.size);
    } else {
      values[count - 2] = property_parts::combined(step.op, values[count - 2], values[count - 1]);
      --count;
    }
  }
  if (count != 1 || values[0] < 0) return kFarthestProperty;
  return static_cast<std::uint32_t>(property_parts::clipped(values[0]));
}

}  // namespace ravel
