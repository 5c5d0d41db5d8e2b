// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/abstraction.h"

#include <algorithm>
#include <map>

#include "model/text/path_text.h"
#include "statics/site_graph.h"

namespace ravel {

Abstraction::Abstraction(const Facts& facts, std::vector<std::vector<unsigned>> targets, Width width, bool by_value,
                         IsOver is_over)
    : facts_(facts),
      is_over_(std::move(is_over)),
      parts_(facts, is_over_),
      targets_(std::move(targets)),
      width_(width),
      by_value_(by_value) {
  for (std::vector<unsigned>& target : targets_) {
    target = parts_.entered(target);
    is_target_.insert(target.begin(), target.end());
  }
  find_unordered();
  begin();
}

// A pair may happen in either order; so may what a lock is held for. Everything else is ordered.
void Abstraction::find_unordered() {
  for (const GraphNode& node : facts_.graph.nodes) {
    if (!node.starts.empty()) creations_.insert(line_of(node.place));
  }
  for (const Site& site : facts_.sites) {
    if (!is_write(site)) continue;
    written_.insert(line_of(site.place));
    if (!site.locks.empty()) unordered_writes_.insert(line_of(site.place));
  }
  for (const SitePair& pair : facts_.pairs) {
    for (const unsigned site : {pair.first, pair.second}) {
      if (pair.kind == PairKind::kRW && is_write(facts_.sites[site])) {
        unordered_writes_.insert(line_of(facts_.sites[site].place));
      }
    }
  }
}

bool Abstraction::may_come_anywhen(unsigned writer) const {
  const FileLine line = line_of(facts_.graph.nodes[writer].place);
  if (creations_.count(line) != 0) return false;
  return written_.count(line) == 0 || unordered_writes_.count(line) != 0;
}

Abstraction::Abstraction(const Abstraction& other, Width width)
    : facts_(other.facts_),
      is_over_(other.is_over_),
      parts_(other.facts_, is_over_),
      targets_(other.targets_),
      is_target_(other.is_target_),
      width_(width),
      by_value_(other.by_value_) {
  find_unordered();
  begin();
}

void Abstraction::begin() {
  for (const std::vector<unsigned>& target : targets_) {
    for (unsigned one = 0; one < classes(); ++one) {
      std::vector<unsigned> own;
      std::copy_if(target.begin(), target.end(), std::back_inserter(own),
                   [&](unsigned node) { return parts_.runs(one, node); });
      if (own.empty()) continue;
      for (const unsigned node : own) add(node);
      if (width_ == Width::kSlice) {
        for (const unsigned node : parts_.backward(one, own)) add(node);
      } else {
        for (const unsigned condition : conditions(one, own)) add(condition);
      }
    }
  }
}

bool Abstraction::is_shared(unsigned node) const {
  const GraphNode& one = facts_.graph.nodes[node];
  const auto shared = [&](unsigned part) { return facts_.graph.memory[part].shared; };
  return std::any_of(one.reads.begin(), one.reads.end(), shared) ||
         std::any_of(one.writes.begin(), one.writes.end(), shared);
}

void Abstraction::add(unsigned node) {
  if (facts_.graph.nodes[node].place.line != 0 && (is_target(node) || is_shared(node))) nodes_.insert(node);
}

// What decides whether the nodes run: branches, and the values they use. Of all at once, since they share most of it.
std::set<unsigned> Abstraction::conditions(unsigned thread_class, const std::vector<unsigned>& nodes) const {
  std::set<unsigned> before;
  for (const unsigned node : nodes) {
    const std::vector<unsigned> own = parts_.branches_before(thread_class, node);
    before.insert(own.begin(), own.end());
    if (by_value_ && is_target(node)) before.insert(node);
  }
  const std::vector<unsigned> branches(before.begin(), before.end());
  if (width_ == Width::kSlice) return parts_.backward(thread_class, branches);
  std::set<unsigned> used(branches.begin(), branches.end());
  std::vector<unsigned> waiting = branches;
  while (!waiting.empty()) {
    const unsigned at = waiting.back();
    waiting.pop_back();
    for (const unsigned use : facts_.graph.nodes[at].uses) {
      if (used.insert(use).second) waiting.push_back(use);
    }
  }
  return used;
}

void Abstraction::add_deciding(unsigned thread_class, const std::vector<unsigned>& nodes) {
  std::vector<unsigned> writers;
  for (const unsigned writer : parts_.writers(conditions(thread_class, nodes))) {
    if (!may_come_anywhen(writer)) continue;
    add(writer);
    writers.push_back(writer);
  }
  if (width_ == Width::kDecisive) return;
  for (unsigned one = 0; one < classes(); ++one) {
    std::vector<unsigned> own;
    std::copy_if(writers.begin(), writers.end(), std::back_inserter(own),
                 [&](unsigned node) { return parts_.runs(one, node); });
    if (own.empty()) continue;
    for (const unsigned behind : parts_.backward(one, own)) add(behind);
  }
}

std::set<FileLine> Abstraction::news(const std::set<FileLine>& before) const {
  const std::set<FileLine> now = lines();
  std::set<FileLine> fresh;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::inserter(fresh, fresh.begin()));
  return fresh;
}

std::set<FileLine> Abstraction::refine(const std::set<unsigned>& reached, const std::set<unsigned>& inside) {
  const std::set<FileLine> before = lines();
  const std::set<unsigned> present = nodes_;
  for (const unsigned one : inside) {
    std::vector<unsigned> missed;
    std::copy_if(present.begin(), present.end(), std::back_inserter(missed),
                 [&](unsigned node) { return reached.count(node) == 0 && parts_.runs(one, node) && matters(node); });
    if (!missed.empty()) add_deciding(one, missed);
  }
  return news(before);
}

std::set<FileLine> Abstraction::widen() {
  const std::set<FileLine> before = lines();
  width_ = Width::kSlice;
  begin();
  return news(before);
}

FileLine Abstraction::line_of(const CodePlace& place) const {
  return {base_name(place.file), place.line};
}

// Where the locks are taken that are held at its accesses.
void Abstraction::add_locks(std::set<FileLine>& lines) const {
  std::set<std::pair<unsigned, std::string>> held;
  for (const Site& site : facts_.sites) {
    if (!is_read(site) && !is_write(site)) continue;
    if (lines.count(line_of(site.place)) == 0) continue;
    for (const std::string& lock : site.locks) held.emplace(site.thread_class, lock);
  }
  for (const Site& site : facts_.sites) {
    if (site.kind != SiteKind::kLock && site.kind != SiteKind::kReadLock) continue;
    const bool taken = std::any_of(site.objects.begin(), site.objects.end(), [&](const std::string& object) {
      return held.count({site.thread_class, object}) != 0;
    });
    if (taken) lines.insert(line_of(site.place));
  }
}

std::set<FileLine> Abstraction::lines() const {
  std::set<FileLine> lines;
  for (const unsigned node : nodes_) lines.insert(line_of(facts_.graph.nodes[node].place));
  add_locks(lines);
  for (unsigned one = 0; one < classes(); ++one) {
    std::set<unsigned> own;
    for (const unsigned node : nodes_) {
      if (parts_.runs(one, node)) own.insert(node);
    }
    for (const unsigned node : parts_.notifications(one, own)) lines.insert(line_of(facts_.graph.nodes[node].place));
  }
  return lines;
}

bool Abstraction::concerns(unsigned thread_class) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](unsigned node) { return parts_.runs(thread_class, node); });
}

bool Abstraction::runs_target(unsigned thread_class, std::size_t target) const {
  return std::any_of(targets_[target].begin(), targets_[target].end(),
                     [&](unsigned node) { return parts_.runs(thread_class, node); });
}
bool Abstraction::runs_target(unsigned thread_class) const {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (runs_target(thread_class, i)) return true;
  }
  return false;
}

std::set<FileLine> Abstraction::closure() const {
  Abstraction all(*this, Width::kSlice);
  std::set<unsigned> inside;
  for (unsigned one = 0; one < classes(); ++one) inside.insert(one);
  while (!all.refine({}, inside).empty() && !(is_over_ && is_over_())) {
  }
  return all.lines();
}

std::set<unsigned> Abstraction::reached_nodes(const std::set<FileLine>& lines) const {
  const std::vector<GraphNode>& nodes = facts_.graph.nodes;
  std::vector<std::vector<unsigned>> before(nodes.size());
  std::set<unsigned> reached;
  std::vector<unsigned> waiting;
  const auto reach = [&](unsigned node) {
    if (!is_target(node) && reached.insert(node).second) waiting.push_back(node);
  };
  for (unsigned i = 0; i < nodes.size(); ++i) {
    for (const unsigned next : nodes[i].next) before[next].push_back(i);
    // Of `if (x) y = 1;' the line does not tell whether all of it has run.
    const bool certain = std::none_of(nodes[i].control.begin(), nodes[i].control.end(), [&](const ControlledBy& by) {
      return by.branch != i && line_of(nodes[by.branch].place) == line_of(nodes[i].place);
    });
    if (certain && is_shared(i) && lines.count(line_of(nodes[i].place)) != 0) reach(i);
  }
  while (!waiting.empty()) {
    const unsigned node = waiting.back();
    waiting.pop_back();
    if (nodes[node].next.size() == 1) reach(nodes[node].next[0]);
    if (before[node].size() == 1) reach(before[node][0]);
  }
  return reached;
}

}  // namespace ravel
