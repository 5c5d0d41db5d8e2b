// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/distances.h"

#include <algorithm>
#include <queue>

#include "model/text/path_text.h"

namespace ravel {
namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a == kUnreachable || b == kUnreachable ? kUnreachable : a + b;
}

// A step is a change of line. Code without a line costs nothing.
std::uint64_t step(const GraphNode& from, const GraphNode& to) {
  const bool same = from.place.line == to.place.line && from.place.file == to.place.file;
  return to.place.line == 0 || same ? 0 : 1;
}

// The least first.
using Open = std::priority_queue<std::pair<std::uint64_t, unsigned>, std::vector<std::pair<std::uint64_t, unsigned>>,
                                 std::greater<>>;

}  // namespace

std::vector<unsigned> nodes_at(const CodeGraph& graph, const CodePlace& place) {
  std::vector<unsigned> line;
  std::vector<unsigned> column;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    const CodePlace& at = graph.nodes[i].place;
    if (at.line == 0 || at.line != place.line || !is_end_of(at.file, place.file)) continue;
    line.push_back(i);
    if (at.column == place.column) column.push_back(i);
  }
  return place.column != 0 && !column.empty() ? column : line;
}

Distances::Distances(const CodeGraph& graph, const std::vector<unsigned>& targets, const KnownCallees& known)
    : graph_(graph),
      known_(known),
      leaving_(graph.nodes.size(), kUnreachable),
      deeper_(graph.nodes.size(), kUnreachable) {
  find_leaving();
  find_deeper(targets);
}

std::vector<unsigned> Distances::callees(unsigned node) const {
  const auto found = known_.find(node);
  if (found != known_.end()) return {found->second};
  return graph_.nodes[node].calls;
}

// From the node to one that comes next in its function; through a call it is another line in any case.
std::uint64_t Distances::passing(unsigned node, unsigned next) const {
  const std::vector<unsigned> list = callees(node);
  const GraphNode& from = graph_.nodes[node];
  if (list.empty()) return step(from, graph_.nodes[next]);
  std::uint64_t least = kUnreachable;
  for (const unsigned callee : list) {
    const unsigned entry = graph_.functions[callee].entry;
    least = std::min(least, sum(step(from, graph_.nodes[entry]), leaving_[entry]));
  }
  return sum(least, graph_.nodes[next].place.line == 0 ? 0 : 1);
}

// Costs of calls depend on costs of callees: until nothing changes, which recursion needs anyway.
void Distances::find_leaving() {
  std::vector<std::vector<unsigned>> before(graph_.nodes.size());  // in the function
  std::vector<std::vector<unsigned>> calls(graph_.functions.size());
  for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
    for (const unsigned next : graph_.nodes[i].next) before[next].push_back(i);
    for (const unsigned callee : callees(i)) calls[callee].push_back(i);
  }
  Open open;
  const auto improve = [&](unsigned node, std::uint64_t cost) {
    if (cost >= leaving_[node]) return;
    leaving_[node] = cost;
    open.emplace(cost, node);
  };
  const auto relax = [&](unsigned node) {
    for (const unsigned next : graph_.nodes[node].next) improve(node, sum(passing(node, next), leaving_[next]));
  };
  for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
    if (graph_.nodes[i].leaves) improve(i, 0);
  }
  while (!open.empty()) {
    const auto [cost, node] = open.top();
    open.pop();
    if (cost != leaving_[node]) continue;
    for (const unsigned from : before[node]) relax(from);
    const unsigned function = graph_.nodes[node].function;
    if (graph_.functions[function].entry != node) continue;
    for (const unsigned call : calls[function]) relax(call);
  }
}

void Distances::find_deeper(const std::vector<unsigned>& targets) {
  std::vector<std::vector<Way>> ways(graph_.nodes.size());
  for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
    const GraphNode& node = graph_.nodes[i];
    const auto enter = [&](unsigned function) {
      const unsigned entry = graph_.functions[function].entry;
      ways[entry].push_back({i, step(node, graph_.nodes[entry])});
    };
    for (const unsigned next : node.next) {
      const std::uint64_t pass = passing(i, next);
      if (pass != kUnreachable) ways[next].push_back({i, pass});
    }
    for (const unsigned callee : callees(i)) enter(callee);
    for (const unsigned started : node.starts) enter(started);
  }
  Open open;
  for (const unsigned target : targets) {
    deeper_[target] = 0;
    open.emplace(0, target);
  }
  while (!open.empty()) {
    const auto [cost, node] = open.top();
    open.pop();
    if (cost != deeper_[node]) continue;
    for (const Way& way : ways[node]) {
      const std::uint64_t total = sum(cost, way.cost);
      if (total >= deeper_[way.from]) continue;
      deeper_[way.from] = total;
      open.emplace(total, way.from);
    }
  }
}

std::uint64_t Distances::returning(unsigned node) const {
  std::uint64_t least = kUnreachable;
  for (const unsigned next : graph_.nodes[node].next) least = std::min(least, sum(deeper_[next], 1));
  return least;
}

std::uint64_t Distances::from_stack(const std::vector<unsigned>& frames) const {
  std::uint64_t least = kUnreachable;
  std::uint64_t out = 0;
  for (const unsigned frame : frames) {
    least = std::min(least, sum(out, deeper_[frame]));
    out = sum(sum(out, leaving_[frame]), 1);
  }
  return least;
}

}  // namespace ravel
