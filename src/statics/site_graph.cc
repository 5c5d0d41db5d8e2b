// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/site_graph.h"

#include <algorithm>

namespace ravel {
namespace {

constexpr unsigned kNoNode = ~0u;

// Of the nodes of a line, those that hold the access.
bool does(const CodeGraph& graph, const GraphNode& node, const Site& site) {
  if (site.kind > SiteKind::kAtomicWrite) return true;
  const std::vector<unsigned>& parts = is_write(site) ? node.writes : node.reads;
  return std::any_of(parts.begin(), parts.end(), [&](unsigned part) {
    const std::string& name = graph.memory[part].object;
    return std::find(site.objects.begin(), site.objects.end(), name) != site.objects.end();
  });
}

}  // namespace

SiteGraph::SiteGraph(const Facts& facts) : facts_(facts), nodes_of_(facts.sites.size()) {
  const CodeGraph& graph = facts.graph;
  std::vector<std::set<unsigned>> calls(graph.functions.size());
  for (const GraphNode& node : graph.nodes) calls[node.function].insert(node.calls.begin(), node.calls.end());
  std::vector<std::set<unsigned>> functions;  // of each class
  for (const std::vector<unsigned>& entries : graph.entries) {
    std::set<unsigned> reached(entries.begin(), entries.end());
    std::vector<unsigned> waiting(entries.begin(), entries.end());
    while (!waiting.empty()) {
      const unsigned function = waiting.back();
      waiting.pop_back();
      for (const unsigned callee : calls[function]) {
        if (reached.insert(callee).second) waiting.push_back(callee);
      }
    }
    functions.push_back(std::move(reached));
  }
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>> lines;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    const CodePlace& place = graph.nodes[i].place;
    if (place.line != 0) lines[{place.file, place.line}].push_back(i);
  }
  for (unsigned i = 0; i < facts.sites.size(); ++i) {
    const Site& site = facts.sites[i];
    const auto found = lines.find({site.place.file, site.place.line});
    if (found == lines.end() || site.thread_class >= functions.size()) continue;
    for (const unsigned node : found->second) {
      const bool runs = functions[site.thread_class].count(graph.nodes[node].function) != 0;
      if (runs && does(graph, graph.nodes[node], site)) nodes_of_[i].push_back(node);
    }
  }
}

const std::set<unsigned>& SiteGraph::dependences(unsigned node) const {
  const auto [entry, fresh] = dependences_.try_emplace(node);
  std::set<unsigned>& all = entry->second;
  if (!fresh) return all;
  std::vector<unsigned> waiting = {node};
  while (!waiting.empty()) {
    const GraphNode& one = facts_.graph.nodes[waiting.back()];
    waiting.pop_back();
    const auto add = [&](unsigned other) {
      if (other != node && all.insert(other).second) waiting.push_back(other);
    };
    for (const ControlledBy& by : one.control) add(by.branch);
    for (const unsigned used : one.uses) add(used);
  }
  return all;
}

bool SiteGraph::depends(unsigned node, unsigned on) const {
  return node == on || dependences(node).count(on) != 0;
}

bool SiteGraph::decides(unsigned on, unsigned node) const {
  std::set<unsigned> seen;
  std::vector<unsigned> waiting = {node};
  while (!waiting.empty()) {
    const unsigned at = waiting.back();
    waiting.pop_back();
    for (const ControlledBy& by : facts_.graph.nodes[at].control) {
      if (depends(by.branch, on)) return true;
      if (seen.insert(by.branch).second) waiting.push_back(by.branch);
    }
  }
  return false;
}

bool SiteGraph::reaches(unsigned from, unsigned to, unsigned without) const {
  std::set<unsigned> seen;
  std::vector<unsigned> waiting = {from};
  while (!waiting.empty()) {
    const unsigned node = waiting.back();
    waiting.pop_back();
    if (node == to) return true;
    for (const unsigned next : facts_.graph.nodes[node].next) {
      if (next != without && seen.insert(next).second) waiting.push_back(next);
    }
  }
  return false;
}

bool SiteGraph::between(unsigned from, unsigned middle, unsigned to) const {
  if (facts_.graph.nodes[from].function != facts_.graph.nodes[middle].function) return false;
  return middle != from && reaches(from, middle, kNoNode) && reaches(middle, to, from);
}

bool SiteGraph::repeats(unsigned node) const {
  const auto loops = [&](unsigned one) {
    const std::vector<unsigned>& next = facts_.graph.nodes[one].next;
    return std::any_of(next.begin(), next.end(), [&](unsigned then) { return reaches(then, one, kNoNode); });
  };
  if (loops(node)) return true;
  for (unsigned i = 0; i < facts_.graph.nodes.size(); ++i) {
    const std::vector<unsigned>& calls = facts_.graph.nodes[i].calls;
    const bool here = std::find(calls.begin(), calls.end(), facts_.graph.nodes[node].function) != calls.end();
    if (here && loops(i)) return true;
  }
  return false;
}

bool share_a_name(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& name) { return std::find(b.begin(), b.end(), name) != b.end(); });
}

}  // namespace ravel
