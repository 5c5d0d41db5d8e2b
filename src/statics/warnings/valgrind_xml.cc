// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// XML of Helgrind and DRD (--xml=yes, protocol 4 and 5): <error> elements with a <kind>, a text and <stack>s of
// <frame>s. Only these tags are looked for, so that anything else in the file, or a file that ends early, does no harm.
#include <fmt/format.h>

#include "model/text/words.h"
#include "statics/warnings/foreign_warning.h"

namespace ravel {
namespace {

// The text between <tag> and </tag> from `at` on, moving `at` behind it. False: there is none.
bool next_element(std::string_view text, std::string_view tag, std::size_t& at, std::string_view& inside) {
  const std::string open = fmt::format("<{}>", tag);
  const std::string close = fmt::format("</{}>", tag);
  const std::size_t from = text.find(open, at);
  if (from == std::string_view::npos) return false;
  const std::size_t to = text.find(close, from);
  if (to == std::string_view::npos) return false;
  inside = text.substr(from + open.size(), to - from - open.size());
  at = to + close.size();
  return true;
}

std::string first_of(std::string_view text, std::string_view tag) {
  std::size_t at = 0;
  std::string_view inside;
  return next_element(text, tag, at, inside) ? std::string(inside) : std::string();
}

std::string plain(std::string text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  for (const auto& [entity, letter] : kEntities) {
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1)) {
      text.replace(at, entity.size(), 1, letter);
    }
  }
  return text;
}

std::vector<CodePlace> places_of(std::string_view stack) {
  std::vector<CodePlace> places;
  std::size_t at = 0;
  std::string_view frame;
  while (places.size() < kMostForeignFrames && next_element(stack, "frame", at, frame)) {
    const auto line = number_of<unsigned>(first_of(frame, "line"), 0x7fffffff);
    std::string file = plain(first_of(frame, "file"));
    const std::string folder = plain(first_of(frame, "dir"));
    if (!line || *line == 0 || file.empty()) continue;
    if (!folder.empty()) file.insert(0, folder + "/");
    places.push_back({file, *line, 0});
  }
  return places;
}

ForeignWarning warning_of(std::string_view error) {
  ForeignWarning warning;
  const std::string kind = first_of(error, "kind");
  const bool race = kind == "Race" || kind == "ConflictingAccess";
  warning.kind = race ? "race" : kind == "LockOrder" ? "lock order" : kind;
  warning.text = plain(first_of(error, "text"));
  if (warning.text.empty()) warning.text = plain(first_of(error, "what"));
  if (warning.text.empty()) warning.text = kind;
  std::size_t at = 0;
  std::string_view stack;
  while (warning.stacks.size() < 8 && next_element(error, "stack", at, stack)) {
    std::vector<CodePlace> places = places_of(stack);
    if (!places.empty()) warning.stacks.push_back(std::move(places));
  }
  return warning;
}

}  // namespace

ForeignWarnings read_valgrind_xml(std::string_view text) {
  ForeignWarnings out;
  out.format = "Valgrind XML";
  std::size_t at = 0;
  std::size_t left_out = 0;
  std::string_view error;
  while (next_element(text, "error", at, error)) {
    if (out.warnings.size() == kMostForeignWarnings) {
      ++left_out;
    } else {
      out.warnings.push_back(warning_of(error));
    }
  }
  if (left_out != 0) out.notes.push_back(fmt::format("{} more errors were left out", left_out));
  if (text.find("</valgrindoutput>") == std::string_view::npos) out.notes.emplace_back("the file ends early");
  return out;
}

}  // namespace ravel
