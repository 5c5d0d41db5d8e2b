// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The order that decides a failure, in words: pairs of events that were reversed, and then the program did not
// fail.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/finding.h"

namespace ravel {

// Numbers as in the trace; behind its end come ExecutionRecord::pending, then the use of freed memory.
struct DecisivePair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

DecisiveEvent decisive_event(Names& names, const Event& event, std::uint64_t sequence);
// Marks the lines of the interleaving that are decisive.
void mark_decisive(Finding& finding);

// Fills `decisive` and `explanation` from pairs, the nearest first: the first that races, or is about what the failing
// thread saw last (else the first), and the nearest that goes the other way between the same threads, if there is one.
void explain_order(Names& names, std::span<const DecisivePair> pairs, Finding& finding);

}  // namespace ravel
