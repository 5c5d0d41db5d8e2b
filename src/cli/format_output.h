// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `--format` asked for, and writing it. Without the option there is the console report alone; with it, what it
// lists. `--json FILE` adds json=FILE to either.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "report/formats/format.h"

namespace ravel {

struct FormatChoice {
  std::vector<FormatRequest> requests;  // all but console
  bool console = true;

  // Takes the value of the option; empty, or what is wrong with it.
  std::string set(const std::string& list);
  // Whether some format wants to see every event.
  [[nodiscard]] bool draws() const;
  // The console report gives way to a file format on standard output.
  [[nodiscard]] std::FILE* console_stream(const std::string& json) const;
};

// Each file is named on stderr unless `quiet`.
Result<void> write_formats(const FormatChoice& choice, const std::string& json, const ReportView& report, bool quiet);

}  // namespace ravel
