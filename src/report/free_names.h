// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Names for addresses of code in a free run: addresses are the same in every run, since they are not randomised.
#pragma once

#include <string>
#include <vector>

#include "driver/free_record.h"
#include "report/finding.h"
#include "symbols/symbolizer.h"

namespace ravel {

class FreeNames {
 public:
  FreeNames(const FreeRecord& record, Symbolizer& symbolizer);

  // The innermost place in the user's own code; what is known of the first one if there is none.
  SourcePlace place(const std::vector<std::uint64_t>& frames);
  SourcePlace place(std::uint64_t pc) { return place(std::vector<std::uint64_t>{pc}); }
  [[nodiscard]] std::string thread_name(std::uint32_t thread) const;  // "main.2"

 private:
  SourcePlace describe(const Frame& frame) const;

  const FreeRecord& record_;
  Symbolizer& symbolizer_;
  std::string cwd_;
};

}  // namespace ravel
