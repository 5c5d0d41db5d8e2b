// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The minimiser against bounded search: the fewest preemptions it says are the bound at which the defect first shows,
// for known programs and for random ones, where the defect is that one final state is reached.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "support/random_program.h"
#include "support/search.h"

namespace ravel::testing {
namespace {

struct Schedule {
  std::vector<Segment> segments;
  std::uint32_t preemptions = 0;
};

struct Minimum {
  std::uint32_t preemptions = 0;
  std::uint32_t switches = 0;
  bool proven = false;
  std::vector<Segment> schedule;
};

constexpr std::uint64_t kSteps = 300;  // of one execution: toy programs may spin

Minimum minimise(const toy::Program& program, const FakeExecutor::Judge& judge, const std::vector<Segment>& given,
                 std::uint64_t iterations = 200'000, const char* strategy = "minimise") {
  Search search(strategy, program, judge);
  SharedBlock& block = *search.block;
  block.campaign.base.max_steps = kSteps;
  block.campaign.iterations = iterations;
  block.campaign.base.prefix_segments = static_cast<std::uint32_t>(given.size());
  std::copy(given.begin(), given.end(), block.prefix);
  Minimum out;
  search.run();
  const std::uint32_t count = block.progress.findings.load();
  EXPECT_GT(count, 0u) << block.progress.strategy_note;
  if (count == 0) return out;
  const FindingSeed& best = block.findings[count - 1];
  const auto* segments = reinterpret_cast<const Segment*>(block.arena + best.segments_offset);
  out.schedule.assign(segments, segments + best.segments);
  out.proven = block.progress.promise_kept.load() == 1;
  // What it says is what a run of its schedule shows.
  Search again("minimise", program, judge);
  again.block->campaign.base.max_steps = kSteps;
  again.block->campaign.iterations = 1;
  again.block->campaign.base.prefix_segments = best.segments;
  std::copy(segments, segments + best.segments, again.block->prefix);
  again.run();
  EXPECT_EQ(again.block->progress.findings.load(), 1u) << "the result does not fail";
  out.preemptions = again.block->result.preemptions;
  out.switches = again.block->result.switches;
  return out;
}

// A failing schedule with as many preemptions as a random walk makes; none: not found.
std::optional<Schedule> sampled(const toy::Program& program, const FakeExecutor::Judge& judge, std::uint64_t seed) {
  Search search("random", program, judge);
  search.block->campaign.base.max_steps = kSteps;
  search.block->campaign.seed = seed;
  search.block->campaign.iterations = 2'000;
  search.block->campaign.keep_going = 0;
  search.run();
  if (search.block->progress.findings.load() == 0) return std::nullopt;
  const SharedBlock& block = *search.block;
  return Schedule{{block.schedule, block.schedule + block.result.segments}, block.result.preemptions};
}

// The bound at which the judged state first shows; nothing below it does, or the search says it is not sure.
std::optional<std::uint32_t> proven_bound(const toy::Program& program, const FakeExecutor::Judge& judge) {
  for (std::uint32_t bound = 0; bound < 8; ++bound) {
    Search search(("bounded,preemptions=" + std::to_string(bound)).c_str(), program, judge);
    search.block->campaign.base.max_steps = kSteps;
    search.block->campaign.iterations = 300'000;
    search.block->campaign.keep_going = 1;
    search.run();
    for (std::uint32_t i = 0; i < search.block->progress.findings.load(); ++i) {
      if (search.block->findings[i].kind == OutcomeKind::kAssertion) return bound;
    }
    if (search.block->progress.promise_kept.load() == 0) return std::nullopt;
  }
  return std::nullopt;
}

TEST(Minimise, FindsTheKnownNumberOfPreemptions) {
  struct Case {
    const char* name;
    toy::Program program;
    FakeExecutor::Judge judge;
    std::uint32_t preemptions;
  };
  const Case cases[] = {
      {"wrong order", wrong_order(), came_first, 0},   {"lost update", lost_update(), update_lost, 1},
      {"stand still", stand_still(6), stood_still, 1}, {"ping pong", ping_pong(), ping_ponged, 2},
      {"crossed locks", crossed_locks(), {}, 1},       {"long ping pong", long_ping_pong(), long_ping_ponged, 3}};
  for (const Case& c : cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto given = sampled(c.program, c.judge, seed);
      ASSERT_TRUE(given) << c.name;
      const Minimum found = minimise(c.program, c.judge, given->segments);
      EXPECT_EQ(found.preemptions, c.preemptions) << c.name << " seed " << seed;
      EXPECT_TRUE(found.proven) << c.name;
      EXPECT_LE(found.switches, c.preemptions + 2) << c.name;
    }
  }
}

TEST(Minimise, RandomProgramsAgreeWithBoundedSearch) {
  int compared = 0;
  std::uint32_t most = 0;
  for (std::uint64_t number = 1; number <= 60; ++number) {
    const toy::Program program = toy::random_correct_program(number);
    Search one("random", program);
    one.block->campaign.base.max_steps = kSteps;
    one.block->campaign.seed = number;
    one.block->campaign.iterations = 3;
    one.run();
    if (one.block->result.outcome != OutcomeKind::kCompleted) continue;
    const toy::State target = one.executor.last_state;
    const FakeExecutor::Judge judge = [target](const toy::State& state) {
      return std::memcmp(&state, &target, sizeof state) == 0;
    };
    const std::vector<Segment> given(one.block->schedule, one.block->schedule + one.block->result.segments);
    if (given.empty()) continue;
    const Minimum found = minimise(program, judge, given);
    if (!found.proven) continue;
    const auto bound = proven_bound(program, judge);
    if (!bound) continue;
    EXPECT_EQ(found.preemptions, *bound) << "program " << number;
    most = std::max(most, found.preemptions);
    ++compared;
  }
  EXPECT_GE(compared, 30);
  EXPECT_GE(most, 2u);
}

// A hundred steps and a random schedule with many preemptions: too many schedules to try, few enough to take apart.
TEST(Minimise, MergesTurnsOfLongSchedules) {
  toy::Program program = long_ping_pong();
  for (auto& thread : program.threads) {
    std::vector<toy::Step> noise(40, toy::store(20, 1));
    thread.insert(thread.begin(), noise.begin(), noise.end());
  }
  program.threads.emplace_back(40, toy::store(21, 1));
  const auto given = sampled(program, long_ping_ponged, 1);
  ASSERT_TRUE(given);
  ASSERT_GT(given->preemptions, 20u);
  const Minimum found = minimise(program, long_ping_ponged, given->segments, 3'000);
  EXPECT_LE(found.preemptions, 4u);
  EXPECT_LE(found.switches, 8u);
}

TEST(Minimise, AScheduleWithoutTheDefectIsSaidToBeOne) {
  Search search("minimise", lost_update(), update_lost);
  search.block->campaign.base.prefix_segments = 1;
  search.block->prefix[0] = {0, 2};
  search.run();
  EXPECT_EQ(search.block->progress.findings.load(), 0u);
  EXPECT_EQ(search.block->progress.promise_kept.load(), 0u);
  EXPECT_NE(std::string(search.block->progress.strategy_note).find("does not show"), std::string::npos);
}

}  // namespace
}  // namespace ravel::testing
