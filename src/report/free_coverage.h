// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of traced free runs: the metrics of controlled mode over their traces, one run after the other. Runs of
// which not everything was recorded count for what is left of them, and coverage is then said to be incomplete.
#pragma once

#include <cstdint>
#include <memory>

#include "driver/coverage_data.h"
#include "report/coverage.h"
#include "report/free_trace.h"

namespace ravel {

class FreeCoverage {
 public:
  explicit FreeCoverage(const CoverageRequest& request);
  ~FreeCoverage();
  FreeCoverage(const FreeCoverage&) = delete;
  FreeCoverage& operator=(const FreeCoverage&) = delete;

  // Yields the number of tasks that no run before had.
  std::uint32_t add(const FreeTrace& trace, bool failed);
  // Adds tasks and runs so far under their names.
  void name(TaskCoverage& coverage) const;
  [[nodiscard]] std::uint32_t tasks() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ravel
