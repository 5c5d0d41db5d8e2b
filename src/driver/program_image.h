// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the driver wants to know of a program before it starts it, read from its ELF file. The file is data from
// outside: every offset is checked. Only 64-bit little-endian ELF is accepted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"

namespace ravel {

struct ProgramImage {
  std::string path;                 // absolute
  std::string build_id;             // hex; empty if the linker wrote none, then a hash of the file as "file:..."
  std::vector<std::string> needed;  // DT_NEEDED
  std::string interpreter;
  bool dynamic = false;
  bool setuid = false;
  bool debug_info = false;
  bool calls_sanitizer = false;  // has undefined __tsan_* symbols
  bool has_sanitizer = false;    // defines __tsan_init: linked with -fsanitize=thread
  bool calls_explore = false;    // ravel::explore(): has an undefined ravel_explore
  bool exports_symbols = false;
  bool position_independent = false;
  std::uint64_t link_base = 0;  // lowest virtual address of a loaded segment

  [[nodiscard]] bool needs(std::string_view library) const;  // by the start of the file name
};

// Finds `name` as the shell would: with a slash it is a path, else it is looked for in PATH.
Result<std::string> find_program(const std::string& name);
// Missing, not a regular file, not executable, not ELF: usage errors.
Result<ProgramImage> read_program(const std::string& path);
// The checks that decide whether a campaign can start at all: set-uid, not linked with the runtime.
Result<ProgramImage> testable_program(const std::string& name);

}  // namespace ravel
