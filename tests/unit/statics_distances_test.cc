// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Distances on graphs made by hand, and on random ones against a search that keeps the call stack.
#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <random>

#include "statics/distances.h"

namespace ravel {
namespace {

// Functions by number; nodes are added one after the other.
class Graph {
 public:
  explicit Graph(unsigned functions) {
    graph.functions.resize(functions);
    for (unsigned i = 0; i < functions; ++i) graph.functions[i].name = "f" + std::to_string(i);
  }
  unsigned node(unsigned function, unsigned line, std::vector<unsigned> next, std::vector<unsigned> calls = {},
                bool leaves = false) {
    GraphNode one;
    one.function = function;
    one.place = {"/src/a.cpp", line, 1};
    one.next = std::move(next);
    one.calls = std::move(calls);
    one.leaves = leaves;
    graph.nodes.push_back(one);
    return static_cast<unsigned>(graph.nodes.size() - 1);
  }
  CodeGraph graph;
};

// f0: 10 calls f2, 11, 12 ends. f1: 20 calls f2, 21 target, 22 ends. f2 (helper): 30, 31 ends.
TEST(Distances, AHelperIsAsFarAsTheCallerItReturnsTo) {
  Graph g(3);
  g.node(0, 10, {1}, {2});
  g.node(0, 11, {2});
  g.node(0, 12, {}, {}, true);
  g.node(1, 20, {4}, {2});
  const unsigned target = g.node(1, 21, {5});
  g.node(1, 22, {}, {}, true);
  const unsigned helper = g.node(2, 30, {7});
  g.node(2, 31, {}, {}, true);
  g.graph.functions[0].entry = 0;
  g.graph.functions[1].entry = 3;
  g.graph.functions[2].entry = helper;
  const Distances d(g.graph, {target});
  EXPECT_EQ(d.leaving(helper), 1u);
  EXPECT_EQ(d.deeper(3), 3u);  // 30, 31, 21
  EXPECT_EQ(d.deeper(0), kUnreachable);
  EXPECT_EQ(d.from_stack({helper, target}), 2u);
  EXPECT_EQ(d.from_stack({helper, 5}), kUnreachable);
  EXPECT_EQ(d.from_stack({helper, 1}), kUnreachable);
}

// f0: 10 calls f1 or f2; only f2 leads to the target.
TEST(Distances, AKnownReceiverTightensAVirtualCall) {
  Graph g(3);
  g.node(0, 10, {1}, {1, 2});
  g.node(0, 11, {}, {}, true);
  g.node(1, 20, {}, {}, true);
  const unsigned target = g.node(2, 30, {}, {}, true);
  g.graph.functions[0].entry = 0;
  g.graph.functions[1].entry = 2;
  g.graph.functions[2].entry = target;
  EXPECT_EQ(Distances(g.graph, {target}).deeper(0), 1u);
  EXPECT_EQ(Distances(g.graph, {target}, {{0, 2}}).deeper(0), 1u);
  EXPECT_EQ(Distances(g.graph, {target}, {{0, 1}}).deeper(0), kUnreachable);
}

// Inside the other override: the call is over where it returns to, so that the target is behind it.
TEST(Distances, WhereACallReturnsToItIsOver) {
  Graph g(3);
  g.node(0, 10, {1}, {1, 2});
  g.node(0, 11, {}, {}, true);
  const unsigned other = g.node(1, 20, {}, {}, true);
  const unsigned target = g.node(2, 30, {}, {}, true);
  g.graph.functions[0].entry = 0;
  g.graph.functions[1].entry = other;
  g.graph.functions[2].entry = target;
  const Distances d(g.graph, {target});
  EXPECT_EQ(d.deeper(0), 1u);
  EXPECT_EQ(d.returning(0), kUnreachable);
  // In a loop it is called again.
  g.graph.nodes[0].next.push_back(0);
  EXPECT_EQ(Distances(g.graph, {target}).returning(0), 2u);
}

TEST(Distances, StartingAThreadLeadsToItsEntry) {
  Graph g(2);
  g.node(0, 10, {1});
  g.node(0, 11, {2});
  g.node(0, 12, {}, {}, true);
  g.graph.nodes[1].starts = {1};
  g.node(1, 20, {4});
  g.node(1, 21, {}, {}, true);
  g.graph.functions[1].entry = 3;
  const Distances d(g.graph, {4});
  EXPECT_EQ(d.deeper(0), 3u);
  EXPECT_EQ(d.deeper(1), 2u);
  EXPECT_EQ(d.deeper(2), kUnreachable);  // too late
}

TEST(Distances, WhatDoesNotReturnIsNotPassed) {
  Graph g(2);
  g.node(0, 10, {1}, {1});
  g.node(0, 11, {}, {}, true);
  g.node(1, 20, {});  // abort
  g.graph.functions[1].entry = 2;
  EXPECT_EQ(Distances(g.graph, {1}).deeper(0), kUnreachable);
}

TEST(Distances, PlacesAreFoundByTheEndOfThePath) {
  Graph g(1);
  g.node(0, 10, {1});
  g.node(0, 11, {}, {}, true);
  EXPECT_EQ(nodes_at(g.graph, {"a.cpp", 11, 0}), std::vector<unsigned>{1});
  EXPECT_EQ(nodes_at(g.graph, {"src/a.cpp", 11, 0}), std::vector<unsigned>{1});
  EXPECT_TRUE(nodes_at(g.graph, {"b/a.cpp", 11, 0}).empty());
  EXPECT_TRUE(nodes_at(g.graph, {".cpp", 11, 0}).empty());
  EXPECT_TRUE(nodes_at(g.graph, {"a.cpp", 12, 0}).empty());
}

// Least cost by running the graph with its call stack, up to a depth: a configuration is the stack of nodes.
std::uint64_t by_running(const CodeGraph& graph, unsigned from, unsigned target) {
  constexpr std::size_t kDeepest = 6;
  using Stack = std::vector<unsigned>;
  std::map<Stack, std::uint64_t> cost;
  std::priority_queue<std::pair<std::uint64_t, Stack>, std::vector<std::pair<std::uint64_t, Stack>>, std::greater<>>
      open;
  const auto reach = [&](std::uint64_t total, Stack stack) {
    const auto [found, fresh] = cost.try_emplace(stack, total);
    if (!fresh && found->second <= total) return;
    found->second = total;
    open.emplace(total, std::move(stack));
  };
  reach(0, {from});
  while (!open.empty()) {
    const std::uint64_t total = open.top().first;
    const Stack stack = open.top().second;
    open.pop();
    if (cost[stack] < total) continue;
    const unsigned at = stack.back();
    if (at == target) return total;
    const GraphNode& node = graph.nodes[at];
    const auto go_on = [&](bool returns, const Stack& frames) {
      for (const unsigned next : graph.nodes[frames.back()].next) {
        Stack then = frames;
        then.back() = next;
        reach(total + (returns || next != frames.back() ? 1 : 0), std::move(then));
      }
    };
    if (node.calls.empty()) go_on(false, stack);
    for (const unsigned callee : node.calls) {
      if (stack.size() == kDeepest) continue;
      Stack then = stack;
      then.push_back(graph.functions[callee].entry);
      reach(total + 1, std::move(then));
    }
    if (node.leaves && stack.size() > 1) go_on(true, Stack(stack.begin(), stack.end() - 1));
  }
  return kUnreachable;
}

TEST(Distances, AgreesWithRunningTheGraph) {
  std::mt19937 random(7);
  unsigned finite = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned functions = 1 + random() % 4;
    Graph g(functions);
    const unsigned each = 2 + random() % 3;
    for (unsigned f = 0; f < functions; ++f) {
      g.graph.functions[f].entry = f * each;
      for (unsigned i = 0; i < each; ++i) {
        std::vector<unsigned> next;
        for (unsigned n = random() % 3; n > 0; --n) next.push_back(f * each + random() % each);
        std::vector<unsigned> calls;
        // Callees behind the caller: no recursion, so that the depth of the search is enough.
        if (f + 1 < functions && random() % 3 == 0) calls.push_back(f + 1 + random() % (functions - f - 1));
        const bool leaves = next.empty() && calls.empty();
        g.node(f, 1 + 100 * f + i, next, calls, leaves);
      }
    }
    const unsigned target = random() % (functions * each);
    const Distances d(g.graph, {target});
    for (unsigned from = 0; from < functions * each; ++from) {
      const std::uint64_t expected = by_running(g.graph, from, target);
      finite += expected != kUnreachable && expected != 0;
      EXPECT_EQ(d.deeper(from), expected) << "round " << round << " from " << from << " to " << target;
    }
  }
  EXPECT_GT(finite, 300u);
}

}  // namespace
}  // namespace ravel
