// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/system_code.h"

#include <array>
#include <string_view>

#include "symbols/code_symbols.h"
#include "symbols/symbolizer.h"

namespace ravel {
namespace {

// Functions of namespace std, and what libstdc++ calls the C library through: no need to ask the debug information.
bool is_named_by_the_library(std::string_view linked) {
  constexpr std::array<std::string_view, 8> kPrefixes = {"_ZNSt",  "_ZNKSt",        "_ZSt",           "_ZNOSt",
                                                         "_ZNRSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZZNSt"};
  for (const std::string_view prefix : kPrefixes) {
    if (linked.substr(0, prefix.size()) == prefix) return true;
  }
  return linked.find("__gthread") != std::string_view::npos;
}

}  // namespace

std::vector<CodeRange> find_system_code(const std::string& program) {
  std::vector<CodeRange> out;
  Symbolizer symbolizer;
  symbolizer.set_module(0, program, 0);
  const CodeSymbols symbols(program);
  bool joins = false;
  for (const CodeSymbol& symbol : symbols.all()) {
    if (symbol.end > kModuleOffsetMask || symbol.start >= symbol.end) continue;
    // The outermost frame is the function that the code was compiled as.
    const auto inside = static_cast<LocationId>(symbol.start + 1);
    const bool system = is_named_by_the_library(symbol.name) || symbolizer.frames(inside).back().in_system_header;
    const CodeRange range{static_cast<std::uint32_t>(symbol.start), static_cast<std::uint32_t>(symbol.end)};
    if (system && joins) {
      out.back().end = range.end;
    } else if (system) {
      out.push_back(range);
    }
    joins = system;
  }
  return out;
}

}  // namespace ravel
