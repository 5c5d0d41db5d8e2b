// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a place depends on: the backward slice of a target over control, values and memory, and the writes of any thread
// that can change whether it is reached. By lines, for each class of threads that can run the target. Noonan,
// "Slice-N-Dice algorithm implementation in JPF", BYU 2014.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "statics/facts.h"

namespace ravel {

// A condition that has to hold, or not, for the target to run.
struct SliceGuard {
  unsigned node = 0;
  bool holds = true;
  std::string condition;  // empty: cannot be said in words
};

// A write of shared memory that a guard of the target reads.
struct SliceWrite {
  unsigned node = 0;
  unsigned thread_class = 0;
  std::string object;
  std::vector<std::string> locks;  // around it, by name
};

struct Slice {
  unsigned thread_class = 0;
  std::set<unsigned> nodes;  // the target and what it depends on in the same thread
  std::vector<SliceGuard> guards;
  std::vector<SliceWrite> writes;  // of all threads
  std::set<unsigned> enabling;     // nodes that start these threads, or notify what they wait for
};

// Of each class of threads that can run one of the targets.
std::vector<Slice> slices_of(const Facts& facts, const std::vector<unsigned>& targets);

}  // namespace ravel
