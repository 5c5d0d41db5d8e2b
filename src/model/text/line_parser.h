// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What readers of line-based files share: words with their columns, quoted strings, and mistakes that are reported with
// file, line, column, what was expected and what was found. A reader derives from it and stops at the first mistake.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/text/result.h"
#include "model/text/words.h"

namespace ravel {

struct LineWord {
  std::string text;
  std::size_t column = 0;  // from 1
  bool quoted = false;
};

// `Word`: a LineWord, or what derives from it.
template <class Word>
class LineParser {
 protected:
  explicit LineParser(std::string name) : name_(std::move(name)) {}

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  // False: the mistake is in error_.
  template <class Line>
  bool for_each_line(std::string_view text, Line&& take) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      words_.clear();
      if (!take(text.substr(begin, end - begin))) return false;
      begin = end + 1;
    }
    return true;
  }

  // A string that begins at `at'; leaves `at' behind its closing quote.
  bool read_quoted(std::string_view line, std::size_t& at, Word& word) {
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    if (end >= line.size()) return bad(word.column, "a closing quote", "the end of the line");
    const auto words = split_words(line.substr(at, end + 1 - at));
    if (!words || words->size() != 1) return bad(word.column, "a string", "an escape that is not known");
    word.text = (*words)[0].text;
    word.quoted = true;
    at = end + 1;
    return true;
  }

  bool bad(std::size_t column, std::string expected, std::string found, std::string hint = {}) {
    error_ = {ErrorKind::kUsage,
              name_ + ":" + std::to_string(line_) + ":" + std::to_string(column) + ": expected " + expected,
              "found " + found, std::move(hint)};
    return false;
  }
  bool bad(const Word& at, std::string expected, std::string hint = {}) {
    return bad(at.column, std::move(expected), quote(at.text), std::move(hint));
  }
  bool too_many(std::size_t used) { return words_.size() <= used || bad(words_[used], "the end of the line"); }
  bool missing(std::string expected) {
    const std::size_t column = words_.empty() ? 1 : words_.back().column + words_.back().text.size();
    return bad(column, std::move(expected), "the end of the line");
  }

  std::string name_;         // of the file
  std::uint32_t line_ = 0;   // from 1
  std::vector<Word> words_;  // of the line
  Error error_;
};

}  // namespace ravel
