// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/system_code.h"

#include <algorithm>
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

// Ranges by start. Neighbours become one.
class Ranges {
 public:
  void add(std::uint64_t start, std::uint64_t end) {
    if (start >= end) return;
    if (!all_.empty() && start <= all_.back().end + kPadding && start > last_hole_) {
      all_.back().end = static_cast<std::uint32_t>(end);
    } else {
      all_.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)});
    }
  }
  // Nothing before this place grows over it.
  void leave_out(std::uint64_t place) { last_hole_ = place + kPadding; }
  std::vector<CodeRange> take() { return std::move(all_); }

 private:
  static constexpr std::uint64_t kPadding = 15;  // functions begin at a multiple of 16
  std::vector<CodeRange> all_;
  std::uint64_t last_hole_ = 0;
};

// The user's code that was compiled into the function, as the thread's function is into that of std::thread: its calls
// are no system code.
void add_function(Ranges& out, Symbolizer& symbolizer, const CodeSymbols& symbols, const CodeSymbol& function) {
  std::uint64_t start = function.start;
  for (const CallOut& call : symbols.call_outs(function)) {
    const std::vector<Frame>& frames = symbolizer.frames(static_cast<LocationId>(call.after));
    const bool users = std::any_of(frames.begin(), frames.end(),
                                   [](const Frame& frame) { return !frame.in_system_header && !frame.file.empty(); });
    if (!users) continue;
    out.add(start, call.after);
    out.leave_out(call.after);
    start = call.after + 1;
  }
  out.add(start, function.end);
}

}  // namespace

std::vector<CodeRange> find_system_code(const std::string& program) {
  Ranges out;
  Symbolizer symbolizer;
  symbolizer.set_module(0, program, 0);
  const CodeSymbols symbols(program);
  std::uint64_t done = 0;
  for (const CodeSymbol& symbol : symbols.all()) {
    if (symbol.end > kModuleOffsetMask || symbol.start >= symbol.end || symbol.start < done) continue;
    done = symbol.end;  // a function may have several names
    // The outermost frame is the function that the code was compiled as.
    const auto inside = static_cast<LocationId>(symbol.start + 1);
    const bool system = is_named_by_the_library(symbol.name) || symbolizer.frames(inside).back().in_system_header;
    if (system) {
      add_function(out, symbolizer, symbols, symbol);
    } else {
      out.leave_out(symbol.end);
    }
  }
  return out.take();
}

std::vector<CodeRange> find_library_code(const std::string& program) {
  Ranges out;
  std::uint64_t done = 0;
  for (const CodeSymbol& symbol : CodeSymbols(program).all()) {
    if (symbol.end > kModuleOffsetMask || symbol.start >= symbol.end || symbol.start < done) continue;
    done = symbol.end;
    if (is_named_by_the_library(symbol.name)) {
      out.add(symbol.start, symbol.end);
    } else {
      out.leave_out(symbol.end);
    }
  }
  return out.take();
}

}  // namespace ravel
