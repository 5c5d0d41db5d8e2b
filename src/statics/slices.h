// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a place depends on: the backward slice of a target over control, values and memory, and the writes of any thread
// that can change whether it is reached. By lines, for each class of threads that can run the target. Noonan,
// "Slice-N-Dice algorithm implementation in JPF", BYU 2014.
#pragma once

#include <functional>
#include <memory>
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

class Slicer;

// Whether the time is over: what is asked then is answered in part.
using IsOver = std::function<bool()>;

// The same in parts, for who grows a slice step by step. `facts` live as long as it.
class SliceParts {
 public:
  explicit SliceParts(const Facts& facts, IsOver is_over = {});
  SliceParts(const SliceParts&) = delete;
  SliceParts& operator=(const SliceParts&) = delete;
  ~SliceParts();

  // Whether threads of the class can run the node.
  [[nodiscard]] bool runs(unsigned thread_class, unsigned node) const;
  // What the nodes depend on in the thread itself, and they.
  [[nodiscard]] std::set<unsigned> backward(unsigned thread_class, const std::vector<unsigned>& nodes) const;
  // The branches that decide whether the node runs, in its function or around its calls.
  [[nodiscard]] std::vector<unsigned> branches_before(unsigned thread_class, unsigned node) const;
  // Nodes of any thread that write shared memory which these read.
  [[nodiscard]] std::set<unsigned> writers(const std::set<unsigned>& nodes) const;
  // Notifications that functions with these nodes wait for, when threads of the class run them.
  [[nodiscard]] std::set<unsigned> notifications(unsigned thread_class, const std::set<unsigned>& nodes) const;
  // Where the targets begin.
  [[nodiscard]] std::vector<unsigned> entered(const std::vector<unsigned>& targets) const;

 private:
  const Facts& facts_;
  std::unique_ptr<const Slicer> slicer_;
};

}  // namespace ravel
