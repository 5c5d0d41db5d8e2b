// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A list of places, one warning per line: file:line, or several of them, one for each thread. And which format a file
// has.
#include <fmt/format.h>

#include <algorithm>

#include "statics/place_word.h"
#include "statics/warnings/foreign_warning.h"

namespace ravel {

ForeignWarnings read_line_list(std::string_view text) {
  ForeignWarnings out;
  out.format = "list of places";
  std::size_t left_out = 0;
  for (const std::string_view line : split_lines(text)) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    ForeignWarning warning;
    warning.kind = "race";
    warning.text = std::string(line.substr(first));
    std::size_t at = first;
    while (at < line.size() && warning.stacks.size() < 8) {
      const std::size_t end = std::min(line.find_first_of(" \t\r,", at), line.size());
      if (const auto place = parse_place(std::string(line.substr(at, end - at)))) warning.stacks.push_back({*place});
      at = end + 1;
    }
    if (warning.stacks.empty() || out.warnings.size() == kMostForeignWarnings) {
      ++left_out;
    } else {
      out.warnings.push_back(std::move(warning));
    }
  }
  if (left_out != 0) out.notes.push_back(fmt::format("{} lines were left out: no place in them", left_out));
  return out;
}

ForeignWarnings read_any_warnings(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  if (text[first] == '{') return read_sarif(text);
  if (text[first] == '<') return read_valgrind_xml(text);
  if (text.find("WARNING: ThreadSanitizer:") != std::string_view::npos) return read_tsan_log(text);
  return read_line_list(text);
}

}  // namespace ravel
