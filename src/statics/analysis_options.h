// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a caller of the analyses decides.
#pragma once

#include <chrono>
#include <cstddef>

namespace ravel {

struct AnalysisOptions {
  // Filters of pairs.
  bool alias = true;                         // both may touch the same memory
  bool escape = true;                        // two threads can reach that memory
  bool disjoint = true;                      // a lock beside the data excludes the other
  bool locks = true;                         // no lock is held by both
  bool join = true;                          // created and not joined
  std::chrono::milliseconds budget{20'000};  // of the points-to analysis
  std::size_t most_pairs = 250'000;          // with more the operations of a line are one site
};

}  // namespace ravel
