// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/reach_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/text/path_text.h"
#include "statics/distances.h"

namespace ravel {
namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 24;  // of all rows

using Line = std::pair<std::string, unsigned>;  // file without folders
using Bits = std::vector<std::uint32_t>;

Line line_of(const CodePlace& place) {
  return {base_name(place.file), place.line};
}

bool add(Bits& to, const Bits& from) {
  std::uint32_t fresh = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    fresh |= from[i] & ~to[i];
    to[i] |= from[i];
  }
  return fresh != 0;
}

class ReachMaker {
 public:
  ReachMaker(const Facts& facts, const std::vector<UserPlace>& places)
      : graph_(facts.graph), places_(places), leaving_(facts.graph, {}) {
    for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
      if (graph_.nodes[i].place.line != 0) lines_[line_of(graph_.nodes[i].place)].push_back(i);
    }
    std::set<Line> members;
    for (const SitePair& pair : facts.pairs) {
      members.insert(line_of(facts.sites[pair.first].place));
      members.insert(line_of(facts.sites[pair.second].place));
    }
    for (const UserPlace& place : places) {
      if (members.count(line_of(place.place)) != 0) lists_.columns.push_back(place.location);
    }
  }

  ReachLists make() {
    const std::size_t words = (lists_.columns.size() + 31) / 32;
    if (words * (graph_.nodes.size() + places_.size()) > kMostWords) return {};
    spread(words);
    for (const UserPlace& place : places_) {
      ReachPlace one;
      one.location = place.location;
      const auto found = lines_.find(line_of(place.place));
      if (found != lines_.end()) fill(one, found->second, words);
      lists_.places.push_back(one);
    }
    return std::move(lists_);
  }

 private:
  [[nodiscard]] bool leaves(unsigned node) const { return leaving_.leaving(node) != kUnreachable; }
  // Whether what stands behind a node can come: the functions that it calls may never return.
  [[nodiscard]] bool passes(const GraphNode& node) const {
    return node.calls.empty() || std::any_of(node.calls.begin(), node.calls.end(),
                                             [&](unsigned callee) { return leaves(graph_.functions[callee].entry); });
  }

  // From the members of pairs backwards, until nothing changes.
  void spread(std::size_t words) {
    bits_.assign(graph_.nodes.size(), Bits(words));
    std::vector<std::vector<unsigned>> before(graph_.nodes.size());
    std::vector<unsigned> waiting;
    for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[i];
      if (passes(node)) {
        for (const unsigned next : node.next) before[next].push_back(i);
      }
      for (const unsigned callee : node.calls) before[graph_.functions[callee].entry].push_back(i);
    }
    for (std::size_t column = 0; column < lists_.columns.size(); ++column) {
      const auto place = std::lower_bound(places_.begin(), places_.end(), lists_.columns[column],
                                          [](const UserPlace& a, LocationId b) { return a.location < b; });
      const auto found = lines_.find(line_of(place->place));
      if (found == lines_.end()) {
        for (Bits& bits : bits_) bits[column / 32] |= 1u << column % 32;  // no idea where it is
        continue;
      }
      for (const unsigned node : found->second) {
        bits_[node][column / 32] |= 1u << column % 32;
        waiting.push_back(node);
      }
    }
    while (!waiting.empty()) {
      const unsigned node = waiting.back();
      waiting.pop_back();
      for (const unsigned from : before[node]) {
        if (add(bits_[from], bits_[node])) waiting.push_back(from);
      }
    }
  }

  void fill(ReachPlace& place, const std::vector<unsigned>& nodes, std::size_t words) {
    Bits here(words);
    Bits after(words);
    bool calls = false;
    place.leaves = 0;
    for (const unsigned node : nodes) {
      add(here, bits_[node]);
      if (leaves(node)) place.leaves = 1;
      if (graph_.nodes[node].calls.empty()) continue;
      calls = true;
      for (const unsigned next : graph_.nodes[node].next) add(after, bits_[next]);
    }
    place.row = row_of(here);
    place.after = calls ? row_of(after) : place.row;
  }

  std::uint32_t row_of(const Bits& bits) {
    const auto [known, fresh] = rows_.try_emplace(bits, static_cast<std::uint32_t>(rows_.size()));
    if (fresh) lists_.words.insert(lists_.words.end(), bits.begin(), bits.end());
    return known->second;
  }

  const CodeGraph& graph_;
  const std::vector<UserPlace>& places_;
  const Distances leaving_;
  std::map<Line, std::vector<unsigned>> lines_;  // nodes
  std::vector<Bits> bits_;                       // by node
  std::map<Bits, std::uint32_t> rows_;
  ReachLists lists_;
};

std::vector<ReachCreation> creations_of(const Facts& facts, const std::vector<UserPlace>& places) {
  std::map<Line, std::vector<unsigned>> classes;
  for (unsigned i = 0; i < facts.classes.size(); ++i) {
    if (facts.classes[i].created_at.line != 0) classes[line_of(facts.classes[i].created_at)].push_back(i);
  }
  std::vector<ReachCreation> list;
  for (const UserPlace& place : places) {
    const auto found = classes.find(line_of(place.place));
    if (found == classes.end()) continue;
    for (const unsigned one : found->second) list.push_back({place.location, one});
  }
  return list;
}

}  // namespace

ReachLists make_reach(const Facts& facts, const std::vector<UserPlace>& places) {
  ReachLists lists;
  if (!facts.partial() && !facts.graph.nodes.empty()) lists = ReachMaker(facts, places).make();
  if (lists.places.empty()) {  // still, what is the user's code
    for (const UserPlace& place : places) {
      ReachPlace one;
      one.location = place.location;
      lists.places.push_back(one);
    }
  }
  lists.creations = creations_of(facts, places);
  return lists;
}

}  // namespace ravel
