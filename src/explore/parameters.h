// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// "key=number,key=number" after a strategy's name.
#pragma once

#include <cstdint>
#include <string_view>

namespace ravel {

// The number behind `key` in *value; untouched when the key is not there. False when the text is not of the form above
// or has a key other than `key` (empty: none allowed).
[[nodiscard]] inline bool read_parameter(std::string_view text, std::string_view key, std::uint64_t* value) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || key.empty() || item.substr(0, equals) != key) return false;
    item.remove_prefix(equals + 1);
    if (item.empty() || item.size() > 9) return false;
    std::uint64_t number = 0;
    for (const char c : item) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    *value = number;
  }
  return true;
}

}  // namespace ravel
