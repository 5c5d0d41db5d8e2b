// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The order in which the code of each class of threads can execute its members of conflicting pairs: the code graph
// with its calls expanded, reduced to these accesses. Branches are followed both ways.
#pragma once

#include <string>
#include <vector>

#include "model/text/result.h"
#include "statics/facts.h"

namespace ravel {

// One place of the expanded code at which a site is executed.
struct AccessNode {
  unsigned site = 0;           // of Facts::sites; of node 0, the start: none
  std::vector<unsigned> next;  // nodes that can be the next ones
  bool may_end = false;        // the thread can end behind it
};

struct AccessGraph {
  unsigned thread_class = 0;
  std::vector<AccessNode> nodes;  // 0: the start
  bool loops = false;

  // Whether the site is at one of the nodes behind `from`.
  [[nodiscard]] bool reaches(unsigned from, unsigned site) const;
};

// Of each class that has members of pairs, in the order of the classes. Recursion is an error.
Result<std::vector<AccessGraph>> access_graphs(const Facts& facts);

}  // namespace ravel
