// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Schedules derived from code without branches are all feasible: as many as the toy machine has traces, and as many of
// them deadlock.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "statics/two_stage.h"
#include "support/model_program.h"

namespace ravel {
namespace {

using toy::load;
using toy::lock;
using toy::store;
using toy::unlock;
using Threads = std::vector<std::vector<toy::Step>>;

bool is_lock(const toy::Step& step) {
  return step.kind == OpKind::kMutexLock;
}

// What the analysis would say about a program of these threads.
class FactsOf {
 public:
  explicit FactsOf(const Threads& threads) {
    add_class("main", {});
    for (std::size_t i = 0; i < threads.size(); ++i) add_class("T" + std::to_string(i + 1), threads[i]);
    for (unsigned a = 0; a < facts.sites.size(); ++a) {
      for (unsigned b = a + 1; b < facts.sites.size(); ++b) add_pair(a, b);
    }
  }
  Facts facts;

 private:
  void add_class(const std::string& name, const std::vector<toy::Step>& steps) {
    const auto number = static_cast<unsigned>(facts.classes.size());
    facts.classes.push_back(
        {name, name, {}, {}, false, number == 0 ? std::vector<unsigned>{} : std::vector<unsigned>{0}});
    facts.graph.functions.push_back({name, static_cast<unsigned>(facts.graph.nodes.size())});
    facts.graph.entries.push_back({number});
    std::set<std::string> held;
    for (const toy::Step& step : steps) add_step(number, step, held);
    GraphNode last;
    last.function = number;
    last.leaves = true;
    facts.graph.nodes.push_back(last);
  }

  void add_step(unsigned number, const toy::Step& step, std::set<std::string>& held) {
    GraphNode node;
    node.function = number;
    node.place = {"/a.cpp", ++line_, 1};
    node.next = {static_cast<unsigned>(facts.graph.nodes.size()) + 1};
    const bool mutex = is_lock(step) || step.kind == OpKind::kMutexUnlock;
    const std::string object = (mutex ? "m" : "v") + std::to_string(step.at);
    if (step.kind == OpKind::kMutexUnlock) {
      held.erase(object);
    } else {
      Site site;
      site.thread_class = number;
      site.place = node.place;
      site.objects = {object};
      site.locks.assign(held.begin(), held.end());
      const bool write = step.kind == OpKind::kAtomicStore;
      site.kind = is_lock(step) ? SiteKind::kLock : write ? SiteKind::kWrite : SiteKind::kRead;
      facts.sites.push_back(site);
      if (is_lock(step)) {
        held.insert(object);
      } else {
        (write ? node.writes : node.reads).push_back(static_cast<unsigned>(facts.graph.memory.size()));
        facts.graph.memory.push_back({object, step.at, 0, 1, true});
      }
    }
    facts.graph.nodes.push_back(node);
  }

  void add_pair(unsigned a, unsigned b) {
    const Site& one = facts.sites[a];
    const Site& other = facts.sites[b];
    const bool reads = one.kind == SiteKind::kRead && other.kind == SiteKind::kRead;
    if (one.thread_class == other.thread_class || one.objects != other.objects || reads) return;
    for (const std::string& name : one.locks) {
      if (std::find(other.locks.begin(), other.locks.end(), name) != other.locks.end()) return;
    }
    facts.pairs.push_back({one.kind == SiteKind::kLock ? PairKind::kMM : PairKind::kRW, a, b, true, one.objects[0]});
  }

  unsigned line_ = 0;
};

std::size_t derived(const Threads& threads) {
  const auto result = derive_schedules(FactsOf(threads).facts, {});
  EXPECT_TRUE(result && result->complete);
  return result ? result->schedules.size() : 0;
}

TEST(TwoStage, CountsOfTheLiterature) {
  Threads writers;
  Threads readers = {{store(0, 1)}};
  const std::size_t orders[] = {1, 2, 6, 24};
  for (std::size_t n = 1; n <= 4; ++n) {
    writers.push_back({store(0, 1)});
    readers.push_back({load(0)});
    EXPECT_EQ(derived(writers), orders[n - 1]);
    EXPECT_EQ(derived(readers), std::size_t{1} << n);
  }
  EXPECT_EQ(derived({{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}}), 3u);
  const std::vector<toy::Step> twice = {load(0), store(0, 1), load(0), store(0, 1)};
  EXPECT_EQ(derived({twice, {load(0), store(0, 1)}}), 9u);
  EXPECT_EQ(derived({twice, twice}), 34u);
  Threads ring;
  for (unsigned i = 0; i < 3; ++i) ring.push_back({lock(i), lock((i + 1) % 3), unlock((i + 1) % 3), unlock(i)});
  EXPECT_EQ(derived(ring), 7u);
}

std::vector<toy::Step> random_thread(Random& random) {
  std::vector<toy::Step> steps;
  std::vector<std::uint32_t> held;
  const auto count = 2 + random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint32_t>(random.below(2));
    switch (random.below(4)) {
      case 0:
        steps.push_back(load(at));
        break;
      case 1:
        steps.push_back(store(at, 1));
        break;
      case 2:
        if (std::find(held.begin(), held.end(), at) != held.end()) break;
        steps.push_back(lock(at));
        held.push_back(at);
        break;
      default:
        if (held.empty()) break;
        steps.push_back(unlock(held.back()));
        held.pop_back();
    }
  }
  for (; !held.empty(); held.pop_back()) steps.push_back(unlock(held.back()));
  return steps;
}

TEST(TwoStage, AsManyAsTracesOfStraightCode) {
  std::size_t deadlocks = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    Threads threads(2 + random.below(2));
    for (auto& thread : threads) thread = random_thread(random);
    const toy::Count truth = toy::count_traces_pruned({threads, {}, {}});
    if (truth.traces > 400) continue;
    const auto result = derive_schedules(FactsOf(threads).facts, {});
    ASSERT_TRUE(result && result->complete) << seed;
    std::size_t stuck = 0;
    for (const StaticSchedule& schedule : result->schedules) stuck += schedule.deadlock;
    EXPECT_EQ(result->schedules.size(), truth.traces) << seed;
    EXPECT_EQ(stuck, truth.deadlocked) << seed;
    deadlocks += truth.deadlocked;
  }
  EXPECT_GT(deadlocks, 20u);
}

TEST(TwoStage, RefusesWhatItDoesNotKnow) {
  Facts facts = FactsOf({{store(0, 1)}, {store(0, 1)}}).facts;
  facts.classes[1].many = true;
  EXPECT_FALSE(derive_schedules(facts, {}));
  facts = FactsOf({{store(0, 1)}, {store(0, 1)}}).facts;
  facts.graph.nodes[1].next = {1, 2};  // a loop
  const auto refused = derive_schedules(facts, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("--instances"), std::string::npos);
  TwoStageLimits limits;
  limits.instances = 2;
  const auto bounded = derive_schedules(facts, limits);
  ASSERT_TRUE(bounded);
  EXPECT_FALSE(bounded->complete);
  EXPECT_EQ(bounded->schedules.size(), 3u);  // before, between and behind the two rounds
  limits.schedules = 2;
  EXPECT_EQ(derive_schedules(facts, limits)->schedules.size(), 2u);
}

}  // namespace
}  // namespace ravel
