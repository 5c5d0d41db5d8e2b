// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Warnings that other tools wrote, as values. One reader per format; each takes the text of a file, reads what it
// understands, and says in notes what it left out. Readers never fail on hostile text, they read less.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "statics/code_place.h"

namespace ravel {

inline constexpr std::size_t kMostForeignWarnings = 1'000;
inline constexpr std::size_t kMostForeignFrames = 64;
inline constexpr std::size_t kMostForeignBytes = std::size_t{64} << 20;

struct ForeignWarning {
  std::string kind;  // "race", "lock order", or the tool's own word
  std::string text;
  // What each thread does, its call stack, innermost first.
  std::vector<std::vector<CodePlace>> stacks;
  // Places in the order in which they are passed, with the thread of each (from 1); empty: the tool does not say.
  std::vector<std::pair<CodePlace, unsigned>> flow;
  std::size_t run = 0;  // of SARIF: where it stands in the file
  std::size_t result = 0;
};

struct ForeignWarnings {
  std::string format;
  std::string path;
  std::string text;  // the file, if its format is one that verdicts are written into
  std::vector<ForeignWarning> warnings;
  std::vector<std::string> notes;
};

ForeignWarnings read_tsan_log(std::string_view text);
ForeignWarnings read_valgrind_xml(std::string_view text);  // Helgrind, DRD
ForeignWarnings read_sarif(std::string_view text);
ForeignWarnings read_line_list(std::string_view text);  // file:line, or several separated by commas or blanks, per line

// Without the ends of lines.
inline std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// By what the text looks like.
ForeignWarnings read_any_warnings(std::string_view text);

}  // namespace ravel
