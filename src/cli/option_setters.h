// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What most rows of a table of options do with a value: set_text<&Options::output>. Each returns what is wrong with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/text/words.h"

namespace ravel {

// "500ms", "10s", "2m", "1h"; a bare number is seconds.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

template <auto Member, class Options>
std::string set_text(Options& options, const std::string& value) {
  options.*Member = value;
  return value.empty() ? "empty" : "";
}
template <auto Member, class Options>
std::string set_flag(Options& options, const std::string&) {
  options.*Member = true;
  return {};
}
// A member that may have no value.
template <auto Member, class Options>
std::string set_number(Options& options, const std::string& value) {
  options.*Member = number_of<std::uint64_t>(value);
  return options.*Member ? "" : "not a number in range";
}
template <auto Member, class Options>
std::string set_duration(Options& options, const std::string& value) {
  const auto time = parse_duration(value);
  if (time) options.*Member = *time;
  return time ? "" : "not a time such as 500ms, 10s or 2m";
}

}  // namespace ravel
