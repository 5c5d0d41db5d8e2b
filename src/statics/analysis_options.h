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
  std::chrono::milliseconds budget{20'000};  // processor time
  std::size_t most_pairs = 250'000;          // with more the operations of a line are one site
  std::size_t most_by_line = 2'000'000;      // with more those of all threads too
  std::size_t most_kept = 5'000'000;         // with more there are no facts
};

}  // namespace ravel
