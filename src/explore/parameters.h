// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Parameters of strategies: "key=value,key=value" after the name. Each strategy has a table of them in
// strategy_table.cc, which parsing, `ravel list', its error messages and docs/strategies.md go by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ravel {

inline constexpr std::size_t kMaxParameters = 6;
inline constexpr std::uint64_t kLargestNumber = 999'999'999;
inline constexpr std::uint64_t kNoLimit = 0xffffffffu;  // as a default, beyond every range
inline constexpr std::uint64_t kDrawn = 0xfffffffeu;    // as a default: drawn again for each execution

enum class ParameterType : std::uint8_t {
  kNumber,
  kWord,  // one of `words`; its value is its place in the list
};

struct Parameter {
  std::string_view name;
  ParameterType type = ParameterType::kNumber;
  std::uint64_t initial = 0;  // the value without the parameter
  std::uint64_t least = 0;
  std::uint64_t most = kLargestNumber;
  std::span<const std::string_view> words{};
  std::string_view help;
};

// One value for each row of a table.
class ParameterValues {
 public:
  ParameterValues() = default;
  // As if none was given.
  explicit ParameterValues(std::span<const Parameter> table);

  // Of a parameter that the table has.
  [[nodiscard]] std::uint64_t operator[](std::string_view name) const;
  [[nodiscard]] bool is_given(std::string_view name) const;

 private:
  friend struct ParameterParser;
  [[nodiscard]] std::size_t row_of(std::string_view name) const;

  std::span<const Parameter> table_{};
  std::uint64_t values_[kMaxParameters] = {};
  bool given_[kMaxParameters] = {};
};

// What is wrong with a text. Views into that text and into the table.
struct ParameterProblem {
  enum class Kind : std::uint8_t { kNone, kNoValue, kUnknown, kBadValue, kTwice };
  Kind kind = Kind::kNone;
  std::string_view name{};
  const Parameter* parameter = nullptr;  // of kBadValue and kTwice
};

// kNone: `out` holds the values of `text`, and defaults for the rest.
[[nodiscard]] ParameterProblem parse_parameters(std::span<const Parameter> table, std::string_view text,
                                                ParameterValues& out);

}  // namespace ravel
