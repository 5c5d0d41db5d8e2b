// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/access_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "statics/site_graph.h"

namespace ravel {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostNodes = 1u << 16;

class Expansion {
 public:
  Expansion(const Facts& facts, const SiteGraph& sites, const std::set<unsigned>& members, unsigned thread_class)
      : facts_(facts), class_(thread_class) {
    for (const unsigned site : members) {
      if (facts.sites[site].thread_class == thread_class) add_site(sites, site);
    }
  }
  [[nodiscard]] bool is_empty() const { return sites_of_.empty(); }

  Result<AccessGraph> run() {
    for (const unsigned function : facts_.graph.entries[class_]) {
      const unsigned entry = place_at({facts_.graph.functions[function].entry});
      places_[kStart].next.push_back(entry);
    }
    for (unsigned i = 1; i < places_.size(); ++i) {
      if (places_.size() > kMostNodes) return cannot_test("too much code to be expanded", class_name());
      if (!expand(i)) return cannot_test("recursion: the order of accesses has no bound", class_name());
    }
    find_live();
    return reduce();
  }

 private:
  using Stack = std::vector<unsigned>;  // nodes of the code graph: calls, then where it is
  struct Place {
    Stack stack;
    std::vector<unsigned> next;
    bool ends = false;  // the thread does
    bool live = false;  // its end can be reached
  };
  static constexpr unsigned kStart = 0;

  [[nodiscard]] std::string class_name() const { return facts_.classes[class_].name; }

  // Nodes of the very column, if there are any: other calls may stand on the line.
  void add_site(const SiteGraph& graph, unsigned site) {
    const std::vector<unsigned>& nodes = graph.nodes_of(site);
    const auto is_exact = [&](unsigned node) {
      return facts_.graph.nodes[node].place.column == facts_.sites[site].place.column;
    };
    const bool exact = std::any_of(nodes.begin(), nodes.end(), is_exact);
    for (const unsigned node : nodes) {
      if (!exact || is_exact(node)) sites_of_[node].push_back(site);
    }
    for (auto& [node, list] : sites_of_) {
      // Within a statement what is read comes before what is written.
      std::stable_sort(list.begin(), list.end(),
                       [&](unsigned a, unsigned b) { return is_read(facts_.sites[a]) && !is_read(facts_.sites[b]); });
    }
  }

  unsigned place_at(Stack stack) {
    const auto [known, fresh] = numbers_.try_emplace(stack, static_cast<unsigned>(places_.size()));
    if (fresh) places_.push_back({std::move(stack), {}, false, false});
    return known->second;
  }

  bool expand(unsigned number) {
    const Stack stack = places_[number].stack;
    const GraphNode& node = facts_.graph.nodes[stack.back()];
    std::vector<unsigned> next;
    if (!node.calls.empty()) {
      for (const unsigned callee : node.calls) {
        Stack inner = stack;
        const auto is_open = [&](unsigned call) { return facts_.graph.nodes[call].function == callee; };
        if (std::any_of(stack.begin(), stack.end(), is_open) || stack.size() > kDeepest) return false;
        inner.push_back(facts_.graph.functions[callee].entry);
        next.push_back(place_at(std::move(inner)));
      }
    } else {
      after(stack, next, places_[number].ends);
    }
    places_[number].next = std::move(next);
    return true;
  }

  // What follows a node when its calls are over.
  void after(Stack stack, std::vector<unsigned>& next, bool& ends) {
    const GraphNode& node = facts_.graph.nodes[stack.back()];
    stack.pop_back();
    for (const unsigned then : node.next) {
      Stack there = stack;
      there.push_back(then);
      next.push_back(place_at(std::move(there)));
    }
    if (!node.leaves) return;
    if (stack.empty()) {
      ends = true;
    } else {
      after(stack, next, ends);
    }
  }

  void find_live() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Place& place : places_) {
        if (place.live) continue;
        place.live = place.ends || std::any_of(place.next.begin(), place.next.end(),
                                               [&](unsigned next) { return places_[next].live; });
        changed |= place.live;
      }
    }
  }

  // Sites at the place that the place before is not already at: a lock is several nodes of one line.
  std::vector<unsigned> sites_at(unsigned number, unsigned before) const {
    std::vector<unsigned> out;
    if (number == kStart) return out;
    const Stack& stack = places_[number].stack;
    const auto found = sites_of_.find(stack.back());
    if (found == sites_of_.end()) return out;
    for (const unsigned site : found->second) {
      const CodePlace& context = facts_.sites[site].context;
      const bool fits = context.line == 0 || stack.size() < 2 ||
                        facts_.graph.nodes[stack[stack.size() - 2]].place.line == context.line;
      if (fits && !(is_lock(site) && has_site(before, site))) out.push_back(site);
    }
    return out;
  }
  [[nodiscard]] bool is_lock(unsigned site) const { return facts_.sites[site].kind > SiteKind::kAtomicWrite; }
  [[nodiscard]] bool has_site(unsigned number, unsigned site) const {
    if (number == kStart) return false;
    const auto found = sites_of_.find(places_[number].stack.back());
    return found != sites_of_.end() &&
           std::find(found->second.begin(), found->second.end(), site) != found->second.end();
  }

  // An access: the place, and how many of its sites have been executed.
  using Access = std::pair<unsigned, unsigned>;

  Result<AccessGraph> reduce() {
    graph_.thread_class = class_;
    graph_.nodes.emplace_back();
    numbered_[{kStart, 0}] = 0;
    waiting_.push_back({kStart, 0});
    while (!waiting_.empty()) {
      const Access access = waiting_.back();
      waiting_.pop_back();
      follow(access);
    }
    find_loops();
    return std::move(graph_);
  }

  // The next accesses on all ways.
  void follow(const Access& from) {
    const unsigned node = numbered_[from];
    if (from.first != kStart && from.second < before_[node].size()) {
      const std::vector<unsigned> sites = before_[node];
      connect(node, {from.first, from.second + 1}, sites);
      return;
    }
    std::set<unsigned> seen;
    std::vector<std::pair<unsigned, unsigned>> ways;  // place, and the one before
    for (const unsigned next : places_[from.first].next) ways.emplace_back(next, from.first);
    if (places_[from.first].ends) graph_.nodes[node].may_end = true;
    while (!ways.empty()) {
      const auto [at, before] = ways.back();
      ways.pop_back();
      if (!places_[at].live) continue;
      const std::vector<unsigned> sites = sites_at(at, before);
      if (!sites.empty()) {
        connect(node, {at, 1}, sites);
        continue;
      }
      if (!seen.insert(at).second) continue;
      if (places_[at].ends) graph_.nodes[node].may_end = true;
      for (const unsigned next : places_[at].next) ways.emplace_back(next, at);
    }
  }

  void connect(unsigned from, const Access& to, const std::vector<unsigned>& sites) {
    const auto [known, fresh] = numbered_.try_emplace(to, static_cast<unsigned>(graph_.nodes.size()));
    if (fresh) {
      graph_.nodes.push_back({sites[to.second - 1], {}, false});
      before_[known->second] = sites;
      waiting_.push_back(to);
    }
    std::vector<unsigned>& next = graph_.nodes[from].next;
    if (std::find(next.begin(), next.end(), known->second) == next.end()) next.push_back(known->second);
  }

  void find_loops() {
    for (unsigned i = 1; i < graph_.nodes.size() && !graph_.loops; ++i) {
      std::set<unsigned> seen;
      std::vector<unsigned> waiting = {i};
      while (!waiting.empty()) {
        const unsigned at = waiting.back();
        waiting.pop_back();
        for (const unsigned next : graph_.nodes[at].next) {
          graph_.loops |= next == i;
          if (seen.insert(next).second) waiting.push_back(next);
        }
      }
    }
  }

  const Facts& facts_;
  unsigned class_;
  std::map<unsigned, std::vector<unsigned>> sites_of_;  // by node of the code graph
  std::vector<Place> places_{Place{{}, {}, false, true}};
  std::map<Stack, unsigned> numbers_;
  AccessGraph graph_;
  std::map<Access, unsigned> numbered_;
  std::map<unsigned, std::vector<unsigned>> before_;  // of an access: the sites of its place
  std::vector<Access> waiting_;
};

}  // namespace

bool AccessGraph::reaches(unsigned from, unsigned site) const {
  std::vector<bool> seen(nodes.size(), false);
  std::vector<unsigned> waiting = nodes[from].next;
  while (!waiting.empty()) {
    const unsigned at = waiting.back();
    waiting.pop_back();
    if (nodes[at].site == site) return true;
    if (seen[at]) continue;
    seen[at] = true;
    waiting.insert(waiting.end(), nodes[at].next.begin(), nodes[at].next.end());
  }
  return false;
}

Result<std::vector<AccessGraph>> access_graphs(const Facts& facts) {
  std::set<unsigned> members;
  for (const SitePair& pair : facts.pairs) members.insert({pair.first, pair.second});
  const SiteGraph sites(facts);
  std::vector<AccessGraph> out;
  for (unsigned i = 0; i < facts.classes.size() && i < facts.graph.entries.size(); ++i) {
    Expansion expansion(facts, sites, members, i);
    if (expansion.is_empty()) continue;
    auto graph = expansion.run();
    if (!graph) return tl::make_unexpected(graph.error());
    out.push_back(std::move(*graph));
  }
  return out;
}

}  // namespace ravel
