// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns module offsets into functions, source lines and names of globals, with LLVM's symboliser, outside the tested
// process. Answers are cached. A file without debug information gives names of functions at best.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/event.h"
#include "model/tables.h"

namespace ravel {

struct Frame {
  std::string function;  // demangled; empty if unknown
  std::string file;      // as the compiler wrote it; empty if unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t start_line = 0;  // where the function begins
  bool in_system_header = false;

  [[nodiscard]] std::uint32_t line_in_function() const { return line > start_line ? line - start_line : 0; }
};

struct GlobalName {
  std::string name;  // demangled; empty if unknown
  std::uint64_t offset = 0;
  std::string member;      // for people: ".balance", "[2]"; empty if unknown
  std::uint64_t rest = 0;  // bytes behind what `member` names
};

// A local variable, by the debug information.
struct LocalVariable {
  std::string name;  // with its members; empty if unknown
  std::uint64_t rest = 0;
  std::string file;
  std::uint32_t line = 0;
};

class Symbolizer {
 public:
  Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;
  ~Symbolizer();

  // Slot `slot` of LocationIds is this file, mapped at `base` in the traced process.
  void set_module(unsigned slot, const std::string& path, std::uint64_t base);
  [[nodiscard]] const std::string& module_path(unsigned slot) const;

  // For traces whose locations are names already.
  void set_frame(LocationId location, Frame frame);
  // Innermost inlined function first; never empty (one frame without names if nothing is known).
  const std::vector<Frame>& frames(LocationId location);
  GlobalName global(unsigned slot, std::uint64_t offset);
  // As `global', with the member.
  GlobalName member(unsigned slot, std::uint64_t offset);
  // In the function around `inside`: see Variables::local.
  LocalVariable local(LocationId inside, std::int64_t below_frame, std::int64_t above_stack);
  // A place in a heap block, by a pointer of the functions around `inside`: see Variables::pointed. Empty: unknown.
  std::string pointed(LocationId inside, std::uint64_t size, std::uint64_t offset);
  // The address of `location` as the file numbers it.
  [[nodiscard]] std::uint64_t link_address(LocationId location) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

[[nodiscard]] bool is_system_path(std::string_view path);

}  // namespace ravel
