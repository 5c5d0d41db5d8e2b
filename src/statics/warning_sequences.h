// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From a warning to the sequences of places that would show it, by the templates of known bug patterns (Farchi, Nir,
// Ur, "Concurrent bug patterns and how to test them", IPDPS 2003). Roles tell the threads apart:
//
//   race          A first access, B write, A second access; both orders of the two accesses
//   lock order    every thread its outer lock, then every thread its inner lock
//   atomicity     A first access, B write, A second access; of two stages: B writes the first, A reads both, B writes
//                 the second
//   order         A use, B definition; A test of the condition, B change, B notification, A wait
//
// A place that runs only behind a branch gets, in sequences of their own, the writes of other threads that the branch
// reads (its definitions) before it. Shortest first.
#pragma once

#include <vector>

#include "statics/facts.h"
#include "statics/sequence.h"

namespace ravel {

struct SequenceOptions {
  bool definitions = true;  // of guards
  std::size_t most = 12;    // sequences of one warning
};

std::vector<LocationSequence> sequences_of(const Facts& facts, const StaticWarning& warning,
                                           const SequenceOptions& options = {});

}  // namespace ravel
