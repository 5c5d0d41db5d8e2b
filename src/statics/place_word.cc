// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/place_word.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "model/text/near_names.h"
#include "model/text/path_text.h"
#include "model/text/words.h"
#include "statics/distances.h"

namespace ravel {
namespace {

constexpr std::size_t kNearLines = 4;

// What is to be done about a place without code.
std::string hint_for(const CodeGraph& graph, const CodePlace& place) {
  std::set<unsigned> lines;
  std::set<std::string> files;
  for (const GraphNode& node : graph.nodes) {
    if (node.place.line == 0) continue;
    files.insert(base_name(node.place.file));
    if (base_name(node.place.file) == base_name(place.file)) lines.insert(node.place.line);
  }
  if (lines.empty()) return fmt::format("files with code that is analysed: {}", fmt::join(files, ", "));
  std::vector<unsigned> near(lines.begin(), lines.end());
  const auto away = [&](unsigned line) { return line > place.line ? line - place.line : place.line - line; };
  std::sort(near.begin(), near.end(), [&](unsigned a, unsigned b) { return away(a) < away(b); });
  near.resize(std::min(near.size(), kNearLines));
  std::sort(near.begin(), near.end());
  return fmt::format("the nearest lines with code are {}", fmt::join(near, ", "));
}

}  // namespace

std::optional<CodePlace> parse_place(const std::string& word) {
  const std::size_t last = word.rfind(':');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const auto number = number_of<unsigned>(word.substr(last + 1), 0x7fffffff);
  if (!number || *number == 0) return std::nullopt;
  const std::string rest = word.substr(0, last);
  const std::size_t before = rest.rfind(':');
  const auto line =
      before == std::string::npos ? std::nullopt : number_of<unsigned>(rest.substr(before + 1), 0x7fffffff);
  if (line && *line != 0 && before != 0) return CodePlace{rest.substr(0, before), *line, *number};
  return CodePlace{rest, *number, 0};
}

Result<std::vector<unsigned>> find_nodes(const CodeGraph& graph, const std::string& word) {
  const auto place = parse_place(word);
  if (!place) return usage_error("not a place", word, "file.cpp:12 or file.cpp:12:5");
  std::vector<unsigned> nodes = nodes_at(graph, *place);
  if (nodes.empty()) return usage_error("there is no code at", word, hint_for(graph, *place));
  return nodes;
}

}  // namespace ravel
