// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How an object was compiled: `ravel c++` puts a line into a section that is not loaded, the linker joins them, and
// `ravel analyze` reads them back. One JSON object per line; lines that are none are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"

namespace ravel {

inline constexpr char kCompileSection[] = ".ravel.compile";

struct CompileCommand {
  std::string folder;
  std::string compiler;
  std::string source;                  // as it was given
  std::vector<std::string> arguments;  // the user's, without source and output
  std::string language;                // -x; empty: by the file name
  std::uint64_t source_hash = 0;       // 0: not known
};

std::string line_of(const CompileCommand& command);
std::vector<CompileCommand> parse_compile_lines(std::string_view text);
// A compilation database (compile_commands.json).
Result<std::vector<CompileCommand>> read_compile_commands(const std::string& path);
// 0: cannot be read.
std::uint64_t hash_of_file(const std::string& path);

}  // namespace ravel
