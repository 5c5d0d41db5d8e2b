// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the coverage of a campaign lies in SharedBlock::arena (model/coverage.h), and how much there is of it. Written
// by the worker after each commit; the driver checks every number.
#pragma once

#include <atomic>
#include <cstdint>

#include "model/coverage.h"

namespace ravel {

struct CoverageArea {
  std::uint64_t tasks_at = 0;
  std::uint64_t threads_at = 0;
  std::uint64_t objects_at = 0;
  std::uint64_t set_words_at = 0;
  std::uint64_t run_words_at = 0;
  std::uint64_t runs_at = 0;
  std::uint64_t seen_threads_at = 0;
  std::uint64_t seen_objects_at = 0;
  CoverCounts counts;
};

}  // namespace ravel
