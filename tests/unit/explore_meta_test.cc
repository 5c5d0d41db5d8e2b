// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Strategy meta against trees that are known whole: an execution goes on to its end, then the search returns to one of
// the states that it passed by, each of them once. A model of the policy ranks at random: what counts here is where the
// strategy goes back to.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <memory_resource>
#include <set>
#include <vector>

#include "base/random.h"
#include "explore/strategies.h"
#include "explore/strategy_table.h"

namespace ravel {
namespace {

using Path = std::vector<std::uint32_t>;  // threads, one for each decision

// Threads with so many operations each. Of independent ones it does not matter in which order they came.
struct Model {
  std::vector<std::uint32_t> lengths;
  bool independent = false;

  [[nodiscard]] std::vector<std::uint32_t> enabled(const Path& path) const {
    std::vector<std::uint32_t> left = lengths;
    for (const std::uint32_t thread : path) --left[thread];
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < left.size(); ++i) {
      if (left[i] != 0) out.push_back(i);
    }
    return out;
  }
  [[nodiscard]] std::uint64_t key(const Path& path) const {
    std::uint64_t hash = 1;
    for (const std::uint32_t thread : path) {
      hash = independent ? hash + mix64(thread + 7) : hash_combine(hash, thread + 1);
    }
    return hash;
  }
};

class MetaSearch {
 public:
  explicit MetaSearch(const Model& model, std::string_view parameters = "", std::uint64_t seed = 1)
      : model_(model), visited_(std::make_unique<VisitedStates>()), random_(seed + 100) {
    const StrategyRow* row = find_strategy("meta");
    StrategyOptions options;
    EXPECT_EQ(parse_parameters(row->parameters, parameters, options.parameters).kind, ParameterProblem::Kind::kNone);
    options.seed = seed;
    options.visited = visited_.get();
    std::string_view error;
    strategy_ = row->create(memory_, options, error).strategy;
  }

  // The choices that the plan prescribes.
  Path plan() {
    std::vector<Segment> segments(256);
    PlanSpec spec;
    PlanWriter writer{spec, segments};
    EXPECT_TRUE(strategy_->next(writer));
    EXPECT_EQ(spec.policy.kind, PolicyKind::kGuided);
    Path path;
    for (std::uint32_t i = 0; i < spec.prefix_segments; ++i)
      path.insert(path.end(), segments[i].count, segments[i].thread);
    return path;
  }

  // From there to the end; what was ranked behind the plan is logged, as the policy does.
  Path run(const Path& planned) {
    Path path;
    std::vector<DecisionRecord> decisions;
    std::vector<RankedChoice> ranked;
    for (;;) {
      const std::vector<std::uint32_t> enabled = model_.enabled(path);
      if (enabled.empty()) break;
      const auto at = static_cast<std::uint32_t>(path.size());
      std::uint32_t taken = enabled[random_.below(enabled.size())];
      if (at < planned.size()) taken = planned[at];
      for (const std::uint32_t thread : enabled) {
        if (at < planned.size()) break;
        Path next = path;
        next.push_back(thread);
        const std::uint64_t state = model_.key(next);
        if (!visited_->contains(state)) passed_by_.insert(state);
        ranked.push_back({state, at, thread, static_cast<std::uint32_t>(random_.below(3)),
                          static_cast<std::uint32_t>(random_.below(4))});
      }
      decisions.push_back({taken, static_cast<std::uint32_t>(enabled.size())});
      path.push_back(taken);
    }
    ExecutionResult result;
    result.outcome = OutcomeKind::kCompleted;
    result.guide.ranked = static_cast<std::uint32_t>(ranked.size());
    TraceView trace;
    trace.ranked = ranked;
    EXPECT_EQ(strategy_->learn({result, {}, decisions, trace}), Share::kCounts);
    return path;
  }

  [[nodiscard]] bool was_passed_by(const Path& path) const { return passed_by_.count(model_.key(path)) != 0; }

 private:
  const Model& model_;
  std::pmr::monotonic_buffer_resource memory_;
  std::unique_ptr<VisitedStates> visited_;
  Random random_;
  Strategy* strategy_ = nullptr;
  std::set<std::uint64_t> passed_by_;
};

// Whether the path begins an execution that was run, but for its last choice, which that one did not take.
bool leaves_one_of(const std::set<Path>& before, const Path& path) {
  const Path stem(path.begin(), path.end() - 1);
  for (const Path& other : before) {
    if (other.size() >= path.size() && std::equal(stem.begin(), stem.end(), other.begin())) return true;
  }
  return false;
}

// Executions until the search begins again; each is checked.
std::size_t executions_of(const Model& model, std::string_view parameters, std::uint64_t seed) {
  MetaSearch search(model, parameters, seed);
  std::set<Path> done;
  std::set<Path> returned_to;
  for (std::size_t i = 0;; ++i) {
    const Path planned = search.plan();
    if (i != 0 && planned.empty()) return i;
    if (i != 0) {
      EXPECT_TRUE(leaves_one_of(done, planned));
      EXPECT_TRUE(search.was_passed_by(planned));
      EXPECT_TRUE(returned_to.insert(planned).second) << "twice";
    }
    const Path path = search.run(planned);
    EXPECT_TRUE(std::equal(planned.begin(), planned.end(), path.begin()));
    done.insert(path);
    if (i > 1'000) return i;
  }
}

// Every order is a state of its own: as many executions as orders, 4!/(2! 2!) = 6, 6!/(2! 2! 2!) = 90, 7!/(4! 3!) = 35.
TEST(Meta, ReturnsToEveryStateThatItPassedByOnce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(executions_of({{2, 2}}, "", seed), 6u);
    EXPECT_EQ(executions_of({{2, 2, 2}}, "", seed), 90u);
    EXPECT_EQ(executions_of({{4, 3}}, "", seed), 35u);
  }
}

// Operations that do not touch each other: the states are a grid, and each is entered once. The first path has n + m of
// them, each further execution begins with another one.
TEST(Meta, StatesThatWereVisitedAreNoPlaceToReturnTo) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const std::uint32_t n : {1u, 2u, 3u, 5u}) {
      const std::size_t most = 1 + ((n + 1) * (n + 1) - 1 - 2 * n);
      EXPECT_LE(executions_of({{n, n}, true}, "", seed), most) << n;
    }
  }
}

// Ten states at most wait: what is left out is not returned to, the search ends all the same, and begins again.
TEST(Meta, ASmallSetIsEnoughToEnd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::size_t executions = executions_of({{3, 3, 3}}, "backtrack=10", seed);
    EXPECT_GT(executions, 10u);
    EXPECT_LT(executions, 1'000u);  // of 1 680 orders
  }
}

// A data choice at level 0, a choice between threads at level 1: of 400 searches half return to either first, 200 with
// a standard deviation of 10. Of the two alternatives of the data choice each is as likely.
TEST(Meta, AlternativesOfDataAreRankedAsTheirState) {
  const StrategyRow* row = find_strategy("meta");
  std::map<std::uint32_t, int> first;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::pmr::monotonic_buffer_resource memory;
    StrategyOptions options;
    options.parameters = ParameterValues(row->parameters);
    options.seed = seed;
    std::string_view error;
    Strategy* strategy = row->create(memory, options, error).strategy;
    std::vector<Segment> segments(8);
    PlanSpec spec;
    PlanWriter plan{spec, segments};
    ASSERT_TRUE(strategy->next(plan));
    const std::vector<DecisionRecord> decisions = {{kDataChoice | 0, 3}, {0, 2}};
    const std::vector<RankedChoice> ranked = {{11, 0, kDataChoice | 0, 0, 5}, {12, 1, 0, 1, 3}, {13, 1, 1, 1, 3}};
    ExecutionResult result;
    result.outcome = OutcomeKind::kCompleted;
    result.guide.ranked = 3;
    result.guide.level = 1;
    TraceView trace;
    trace.ranked = ranked;
    (void)strategy->learn({result, {}, decisions, trace});
    ASSERT_TRUE(strategy->next(plan));
    ASSERT_NE(spec.prefix_segments, 0u);
    ++first[segments[spec.prefix_segments - 1].thread];
  }
  EXPECT_EQ(first.size(), 3u);
  EXPECT_NEAR(first[1], 200, 50);
  EXPECT_NEAR(first[kDataChoice | 1], 100, 45);
  EXPECT_NEAR(first[kDataChoice | 2], 100, 45);
}

TEST(Meta, TheSameSeedTakesTheSameCourse) {
  const Model model{{3, 3}};
  std::set<std::vector<Path>> courses;
  for (const std::uint64_t seed : {1u, 1u, 2u, 3u, 4u}) {
    MetaSearch search(model, "", seed);
    std::vector<Path> course;
    for (int i = 0; i < 8; ++i) {
      course.push_back(search.plan());
      search.run(course.back());
    }
    courses.insert(course);
  }
  EXPECT_EQ(courses.size(), 4u);
}

}  // namespace
}  // namespace ravel
