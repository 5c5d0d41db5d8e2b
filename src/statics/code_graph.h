// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The program's code as a graph of source lines, with all that distances and slices need: who comes next, who calls and
// starts whom, what decides whether a line runs, what it reads and writes. Part of the facts, so that both are answered
// without bitcode. C++17.
//
// A node is a run of instructions of one line in one basic block; a call of code that is known is a node of its own.
// A function that several statements call may be there once per call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "statics/code_place.h"

namespace ravel {

// Bytes of an object that code may touch.
struct MemoryPart {
  std::string object;
  unsigned number = 0;  // objects of one name may be several
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool shared = false;  // two threads can reach it

  [[nodiscard]] bool overlaps(const MemoryPart& other) const {
    return number == other.number && begin < other.end && other.begin < end;
  }
};

// The node runs only if `branch` is left by that side.
struct ControlledBy {
  unsigned branch = 0;
  unsigned side = 0;  // index of the successor
};

struct GraphNode {
  CodePlace place;  // line 0: code without a line of the user's
  unsigned function = 0;
  bool leaves = false;       // returns, or passes an exception on
  bool uses_result = false;  // of a call
  std::vector<unsigned> next;
  std::vector<unsigned> calls;   // functions: the way past the node leads through one of them
  std::vector<unsigned> starts;  // functions that a new thread begins with
  std::vector<unsigned> uses;    // nodes of the function whose values it uses
  std::vector<unsigned> reads;   // of CodeGraph::memory
  std::vector<unsigned> writes;
  std::vector<ControlledBy> control;
  std::string condition;  // of a branch, when it can be said in words: "x > 6"; side 0 is taken when it holds
};

struct GraphFunction {
  std::string name;
  unsigned entry = 0;
};

struct CodeGraph {
  std::vector<GraphFunction> functions;
  std::vector<GraphNode> nodes;
  std::vector<MemoryPart> memory;
  std::vector<std::vector<unsigned>> entries;  // of each class of threads: functions
};

}  // namespace ravel
