// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How many lines lie between a place and a target, at least, over calls, returns, exceptions and the starts of threads.
// A step is a change of line, a return is one.
//
//   deeper(n)    least cost from node n to the target by going on in its function, into calls and into new threads
//   leaving(n)   least cost from n to the end of its function
//   from_stack   for frames f0 (innermost), f1, ...: the least over i of leaving(f0) + 1 + ... + leaving(f(i-1)) + 1
//                and deeper(fi): a helper that two functions call is as far away as the caller it returns to makes it
//
// A call costs the least of its possible callees. Where it is known which one runs (the receiver of a virtual call, at
// run time), only that one counts. Rungta, Mercer, "A meta heuristic for effectively detecting concurrency errors", HVC
// 2008, with thread starts as calls.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "statics/code_graph.h"

namespace ravel {

inline constexpr std::uint64_t kUnreachable = ~std::uint64_t{0};

// Nodes at a place: of its line; of its column, if it has one and there are such.
std::vector<unsigned> nodes_at(const CodeGraph& graph, const CodePlace& place);

// Functions that calls are known to lead to, by node.
using KnownCallees = std::map<unsigned, unsigned>;

class Distances {
 public:
  Distances(const CodeGraph& graph, const std::vector<unsigned>& targets, const KnownCallees& known = {});

  [[nodiscard]] std::uint64_t deeper(unsigned node) const { return deeper_[node]; }
  [[nodiscard]] std::uint64_t leaving(unsigned node) const { return leaving_[node]; }
  // From where a call at the node returns to; whom it has called is over.
  [[nodiscard]] std::uint64_t returning(unsigned node) const;
  // `frames`: the node that runs, then those that it returns to, innermost first.
  [[nodiscard]] std::uint64_t from_stack(const std::vector<unsigned>& frames) const;

 private:
  // A step back.
  struct Way {
    unsigned from = 0;
    std::uint64_t cost = 0;
  };

  [[nodiscard]] std::vector<unsigned> callees(unsigned node) const;
  [[nodiscard]] std::uint64_t passing(unsigned node, unsigned next) const;
  void find_leaving();
  void find_deeper(const std::vector<unsigned>& targets);

  const CodeGraph& graph_;
  const KnownCallees known_;
  std::vector<std::uint64_t> leaving_;
  std::vector<std::uint64_t> deeper_;
};

}  // namespace ravel
