// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fields of a facts file, each checked when it is read.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "statics/code_place.h"

namespace ravel::facts_fields {

using Json = nlohmann::ordered_json;

inline Json json_of(const CodePlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

// What does not fit, with the reason; caught in facts_from_text().
struct WrongField : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline const Json& member(const Json& json, const char* name) {
  if (!json.is_object()) throw WrongField(fmt::format("an object with '{}' is needed", name));
  const auto found = json.find(name);
  if (found == json.end()) throw WrongField(fmt::format("'{}' is missing", name));
  return *found;
}

inline std::string text_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_string()) throw WrongField(fmt::format("'{}' is no text", name));
  return value.get<std::string>();
}

inline unsigned number_of(const Json& json, const char* name, std::uint64_t below = 0xffffffffull) {
  const Json& value = member(json, name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= below)
    throw WrongField(fmt::format("'{}' is no number below {}", name, below));
  return static_cast<unsigned>(value.get<std::uint64_t>());
}

inline bool flag_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_boolean()) throw WrongField(fmt::format("'{}' is neither true nor false", name));
  return value.get<bool>();
}

inline const Json& list_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_array()) throw WrongField(fmt::format("'{}' is no list", name));
  return value;
}

inline std::vector<std::string> texts_of(const Json& json, const char* name) {
  std::vector<std::string> texts;
  for (const Json& value : list_of(json, name)) {
    if (!value.is_string()) throw WrongField(fmt::format("'{}' holds something that is no text", name));
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

inline CodePlace place_of(const Json& json) {
  return {text_of(json, "file"), number_of(json, "line"), number_of(json, "column")};
}

inline std::vector<unsigned> numbers_of(const Json& json, const char* name, std::uint64_t below) {
  std::vector<unsigned> numbers;
  for (const Json& value : list_of(json, name)) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= below)
      throw WrongField(fmt::format("'{}' holds something that is no number below {}", name, below));
    numbers.push_back(value.get<unsigned>());
  }
  return numbers;
}

template <std::size_t N>
int row_of(const Json& json, const char* name, const char* const (&names)[N]) {
  const std::string text = text_of(json, name);
  for (std::size_t i = 0; i < N; ++i) {
    if (text == names[i]) return static_cast<int>(i);
  }
  throw WrongField(fmt::format("'{}' is no {}", text, name));
}

}  // namespace ravel::facts_fields
