// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One line of a text format as words: bare words, quoted strings with escapes, a comment from " #" on. Numbers are read
// whole or not at all.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

struct Word {
  std::string text;
  bool quoted = false;
};

// Nothing when a quote is not closed, an escape is unknown or a control character occurs.
std::optional<std::vector<Word>> split_words(std::string_view line);
std::string quote(std::string_view text);

// Decimal, or hexadecimal after 0x; the whole text, within [0, limit].
template <class T>
std::optional<T> number_of(std::string_view text, std::uint64_t limit = std::uint64_t(static_cast<T>(~T{0}))) {
  int base = 10;
  if (text.substr(0, 2) == "0x") {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || end != text.data() + text.size() || text.empty() || value > limit) return std::nullopt;
  return static_cast<T>(value);
}

// Index of `name` in a table of names.
template <class Table>
std::optional<std::size_t> index_of(const Table& table, std::string_view name) {
  std::size_t i = 0;
  for (std::string_view entry : table) {
    if (entry == name) return i;
    ++i;
  }
  return std::nullopt;
}

}  // namespace ravel
