// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/region_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

#include "model/tables.h"
#include "report/suppressions.h"
#include "symbols/code_symbols.h"

namespace ravel {
namespace {

void add_pattern(std::vector<std::string>& patterns, std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return;
  patterns.emplace_back(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

}  // namespace

Result<std::vector<std::string>> read_region_patterns(const std::string& text, const std::string& option) {
  std::vector<std::string> patterns;
  if (!text.empty() && text[0] == '@') {
    const std::string path = text.substr(1);
    std::ifstream file(path);
    if (!file) return usage_error("cannot read the list of functions", path, "is it there?");
    for (std::string line; std::getline(file, line);) {
      add_pattern(patterns, std::string_view(line).substr(0, line.find('#')));
    }
  } else {
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      add_pattern(patterns, rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  if (patterns.empty()) return usage_error("no function is named", option + " " + text);
  return patterns;
}

Result<RegionFunctions> find_region_functions(std::vector<std::string> patterns, const std::string& program,
                                              const std::string& option) {
  RegionFunctions out;
  if (patterns.empty()) return out;
  std::vector<bool> used(patterns.size());
  const CodeSymbols symbols(program);
  for (const CodeSymbol& symbol : symbols.all()) {
    const std::string name = function_name(symbol.name);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (!matches_whole(patterns[i], name) || symbol.end > kModuleOffsetMask) continue;
      used[i] = true;
      out.code.push_back({static_cast<std::uint32_t>(symbol.start), static_cast<std::uint32_t>(symbol.end)});
      break;
    }
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    return usage_error(
        "no function of the program has this name",
        option + " " + patterns[static_cast<std::size_t>(unused - used.begin())],
        "the whole name with its scopes, `*' for any text; a function that was inlined everywhere has no "
        "entry (-fno-inline)");
  }
  if (out.code.size() > kMaxRegionFunctions) {
    return usage_error(fmt::format("{} functions are named; the limit is {}", out.code.size(), kMaxRegionFunctions),
                       option);
  }
  out.patterns = std::move(patterns);
  return out;
}

}  // namespace ravel
