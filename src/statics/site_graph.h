// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sites and the code graph together: which nodes a site is, what depends on what, and what lies between two nodes of
// one function. Shared by the warnings that need more than pairs.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "statics/facts.h"

namespace ravel {

class SiteGraph {
 public:
  explicit SiteGraph(const Facts& facts);

  // Nodes of the site's line that the threads of its class can run; of an access, those that hold it.
  [[nodiscard]] const std::vector<unsigned>& nodes_of(unsigned site) const { return nodes_of_[site]; }
  // Whether `node` runs, or has its value, depending on `on`, within one function.
  [[nodiscard]] bool depends(unsigned node, unsigned on) const;
  // Whether a branch that `node` runs behind depends on `on`.
  [[nodiscard]] bool decides(unsigned on, unsigned node) const;
  // What `node` depends on within its function: branches and values, without itself.
  [[nodiscard]] const std::set<unsigned>& dependences(unsigned node) const;
  // Some way from `from` to `to` passes `middle` and does not come back to `from`.
  [[nodiscard]] bool between(unsigned from, unsigned middle, unsigned to) const;

  // Whether the node, or a call of its function, is in a loop.
  [[nodiscard]] bool repeats(unsigned node) const;

 private:
  [[nodiscard]] bool reaches(unsigned from, unsigned to, unsigned without) const;

  const Facts& facts_;
  std::vector<std::vector<unsigned>> nodes_of_;
  mutable std::map<unsigned, std::set<unsigned>> dependences_;
};

inline bool is_write(const Site& site) {
  return site.kind == SiteKind::kWrite || site.kind == SiteKind::kAtomicWrite;
}
inline bool is_read(const Site& site) {
  return site.kind == SiteKind::kRead || site.kind == SiteKind::kAtomicRead;
}
inline bool is_atomic(const Site& site) {
  return site.kind == SiteKind::kAtomicRead || site.kind == SiteKind::kAtomicWrite;
}
bool share_a_name(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace ravel
