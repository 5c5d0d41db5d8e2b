// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/race_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace ravel {
namespace {

// A race that no detector guessed: it has happened.
bool is_race(const Finding& finding) {
  return finding.kind == OutcomeKind::kDataRace && finding.detector.empty();
}

// Disjoint sets of findings.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t find(std::size_t one) {
    while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
    return one;
  }
  // The first of a set names it.
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

// A lock on one side only names the mistake; two writes lose one; a name says more than a place in a block. Few
// preemptions are easy to follow.
bool tells_more(const Finding& a, const Finding& b) {
  const auto rank = [](const Finding& finding) {
    const RaceSides& sides = finding.sides;
    return std::make_tuple(sides.one_locked ? 0 : 1, sides.named ? 0 : 1, sides.both_write ? 0 : 1,
                           finding.preemptions);
  };
  return rank(a) < rank(b);
}

}  // namespace

std::vector<std::size_t> group_races(std::vector<Finding>& findings) {
  Groups groups(findings.size());
  std::map<std::string, std::size_t> by_object;
  std::map<std::string, std::size_t> by_functions;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_race(findings[i])) continue;
    const RaceSides& sides = findings[i].sides;
    const std::string call = fmt::format("{}\n", findings[i].explore_call);
    if (!sides.object.empty()) groups.join(i, by_object.emplace(call + sides.object, i).first->second);
    if (!sides.functions.empty()) groups.join(i, by_functions.emplace(call + sides.functions, i).first->second);
  }
  std::map<std::size_t, std::size_t> leader;  // by the name of the set
  for (std::size_t i = 0; i < findings.size(); ++i) {
    findings[i].folds.clear();
    findings[i].folded_into.clear();
    if (!is_race(findings[i])) continue;
    const auto [known, added] = leader.emplace(groups.find(i), i);
    if (!added && tells_more(findings[i], findings[known->second])) known->second = i;
  }
  const auto place_of = [&](std::size_t i) {
    const std::size_t set = groups.find(i);
    return is_race(findings[i]) ? std::make_tuple(1, set, leader[set] == i ? 0 : 1)
                                : std::make_tuple(findings[i].detector.empty() ? 0 : 2, i, 0);
  };
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
  std::vector<Finding> sorted;
  for (const std::size_t i : order) {
    if (is_race(findings[i]) && leader[groups.find(i)] != i) {
      Finding& first = findings[leader[groups.find(i)]];
      findings[i].folded_into = fmt::format("{:016x}", defect_fingerprint(first));
    }
  }
  for (const std::size_t i : order) {
    const bool folded = !findings[i].folded_into.empty();
    sorted.push_back(std::move(findings[i]));
    if (!folded) continue;
    const auto first = std::find_if(sorted.rbegin() + 1, sorted.rend(),
                                    [](const Finding& finding) { return finding.folded_into.empty(); });
    first->folds.push_back(sorted.back().message);
  }
  findings = std::move(sorted);
  return order;
}

}  // namespace ravel
