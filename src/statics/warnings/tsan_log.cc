// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Logs of ThreadSanitizer: blocks that begin with "WARNING: ThreadSanitizer: KIND (pid=...)", in them paragraphs that
// begin with what a thread did, and its call stack: "    #0 f() /src/a.cpp:12:3 (prog+0x1)".
#include <fmt/format.h>

#include "statics/place_word.h"
#include "statics/warnings/foreign_warning.h"

namespace ravel {
namespace {

constexpr std::string_view kHead = "WARNING: ThreadSanitizer: ";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Paragraphs whose stack is part of the defect; the others say where threads and memory come from.
bool is_operation(std::string_view line) {
  if (has(line, "Location is ")) return false;  // "... heap block of size 112 at ... allocated by"
  return has(line, " of size ") || has(line, "acquired here while holding") || has(line, "Previous ");
}

// The place of "    #0 f(int) /src/a.cpp:12:3 (prog+0x1)"; line 0: it has none.
CodePlace frame_place(std::string_view line) {
  while (!line.empty() && line.back() == ')') {
    const std::size_t open = line.rfind(" (");
    if (open == std::string_view::npos) break;
    const std::string_view module = line.substr(open);
    if (!has(module, "+0x") && !has(module, "BuildId")) break;
    line = line.substr(0, open);
  }
  const std::size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos) return {};
  const auto place = parse_place(std::string(line.substr(blank + 1)));
  return place ? *place : CodePlace{};
}

std::string kind_of(std::string_view words) {
  if (has(words, "data race")) return "race";
  if (has(words, "lock-order")) return "lock order";
  return std::string(words.substr(0, words.find(" (pid")));
}

}  // namespace

ForeignWarnings read_tsan_log(std::string_view text) {
  ForeignWarnings out;
  out.format = "ThreadSanitizer";
  bool in_stack = false;
  std::size_t left_out = 0;
  for (const std::string_view line : split_lines(text)) {
    const std::size_t head = line.find(kHead);
    if (head != std::string_view::npos) {
      in_stack = false;
      if (out.warnings.size() == kMostForeignWarnings) {
        ++left_out;
        continue;
      }
      ForeignWarning warning;
      const std::string_view words = line.substr(head + kHead.size());
      warning.kind = kind_of(words);
      warning.text = std::string(words.substr(0, words.find(" (pid")));
      out.warnings.push_back(std::move(warning));
      continue;
    }
    if (out.warnings.empty() || left_out != 0) continue;
    ForeignWarning& warning = out.warnings.back();
    const std::size_t from = line.find_first_not_of(' ');
    if (from == std::string_view::npos) {
      in_stack = false;
    } else if (line[from] != '#') {
      in_stack = is_operation(line);
      if (in_stack && warning.stacks.size() < 8) warning.stacks.emplace_back();
    } else if (in_stack && !warning.stacks.empty() && warning.stacks.back().size() < kMostForeignFrames) {
      const CodePlace place = frame_place(line);
      if (place.line != 0) warning.stacks.back().push_back(place);
    }
  }
  if (left_out != 0) out.notes.push_back(fmt::format("{} more warnings were left out", left_out));
  return out;
}

}  // namespace ravel
