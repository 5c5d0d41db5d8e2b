// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each policy on a program where its probability can be worked out, and on one that it misses. Seeds are fixed, so the
// counts never change; the bounds are five standard deviations, so that another correct generator passes as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/policy_runner.h"

namespace ravel::toy {
namespace {

constexpr std::uint32_t kRuns = 20'000;

void expect_probability(std::uint32_t hits, double probability, std::uint32_t runs = kRuns) {
  const double expected = runs * probability;
  const double deviation = std::sqrt(runs * probability * (1 - probability));
  EXPECT_NEAR(hits, expected, 5 * deviation) << "of " << runs << ", expected " << expected;
}

Step load_or_end(std::uint32_t at, std::uint32_t reg) {
  Step step = load(at, reg);
  step.flow = Flow::kEndIfZero;
  return step;
}

// Load and store apart: two threads lose an update iff one is interrupted in between.
const Program kLostUpdate{{{load(0, 0), store(0, 1, 1)}, {load(0, 0), store(0, 1, 1)}}, {}, {}};
bool update_lost(const Played& r) {
  return read_memory(r.state, 0) != 2;
}

// Depth 2: T1 starts after T0's first step, and comes to its end before T0's second one. T1 has `steps` steps.
Program stand_still(unsigned steps) {
  std::vector<Step> other = {load_or_end(0, 0)};
  for (unsigned i = 2; i < steps; ++i) other.push_back(store(8, i));
  other.push_back(load(1, 1));
  return {{{store(0, 1), store(1, 1)}, other}, {}, {}};
}
bool stood_still(const Played& r) {
  return r.state.threads[1].registers[0] == 1 && r.state.threads[1].registers[1] == 0;
}

// Depth 3: T0.1 before T1.1, T1.2 before T0.2, T0.3 before T1.3. T1's last step is after T0's end, or the threads ended
// early.
const Program kPingPong{
    {{store(0, 1), load_or_end(1, 0), store(2, 1)}, {load_or_end(0, 0), store(1, 1), load(2, 1)}}, {}, {}};
bool ping_ponged(const Played& r) {
  return r.state.threads[1].registers[1] == 1;
}

TEST(RandomWalk, CoinAtEveryDecision) {
  // T0 loads, T1 loads, then whatever: 1/2 for each of the first two decisions to differ. Lost iff the second thread
  // starts before the first has stored: the second decision takes the other thread, 1/2.
  expect_probability(count_failures(kLostUpdate, policy_spec(PolicyKind::kRandomWalk, 0), kRuns, update_lost), 0.5);
  // Two steps each: AABB has 1/2 1/2 and then no choice, ABAB 1/2 1/2 1/2 and then none.
  std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    ++seen[run(kLostUpdate, policy_spec(PolicyKind::kRandomWalk, seed)).schedule];
  }
  EXPECT_EQ(seen.size(), 6u);
  expect_probability(seen[{0, 0, 1, 1}], 0.25);
  expect_probability(seen[{0, 1, 0, 1}], 0.125);
}

TEST(RandomWalk, MissesAThreadThatMustStandStill) {
  // T0 once, then T1 20 times in a row: (1/2)^21, 0.01 expected in 20 000 runs.
  EXPECT_EQ(count_failures(stand_still(20), policy_spec(PolicyKind::kRandomWalk, 0), kRuns, stood_still), 0u);
}

TEST(RandomWalk, ChoicesAreUniform) {
  // Four alternatives, 40 000 choices, chi-square with 3 degrees of freedom: above 16.27 in one of 1 000 cases.
  std::vector<OperationView> views(4);
  for (std::uint32_t t = 0; t < 4; ++t) views[t].thread = t;
  Policy& policy = policy_for(PolicyKind::kRandomWalk);
  policy.begin(policy_spec(PolicyKind::kRandomWalk, 20'240'601));
  double counts[4] = {};
  for (int i = 0; i < 40'000; ++i) ++counts[policy.pick({views, 1, i % 2 == 0})];
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 10'000) * (count - 10'000) / 10'000;
  EXPECT_LT(chi_square, 16.27);
}

TEST(Pct, FindsDepthTwoWithOneChangePoint) {
  // n = 2 threads, k = 22 steps. T0 has the higher priority (1/2) and the change point is its second step, step 1 of
  // 22: 1/44 = 1/(n k). With T1 higher T0 cannot start before T1 unless T1 is set back for good, at step 0.
  const PolicySpec spec = policy_spec(PolicyKind::kPct, 0, 2, 22);
  expect_probability(count_failures(stand_still(20), spec, kRuns, stood_still), 1.0 / 44);
}

TEST(Pct, MissesWhatIsDeeperThanItsDepth) {
  EXPECT_EQ(count_failures(stand_still(20), policy_spec(PolicyKind::kPct, 0, 1, 22), 2000, stood_still), 0u);
  EXPECT_EQ(count_failures(kPingPong, policy_spec(PolicyKind::kPct, 0, 2, 6), kRuns, ping_ponged), 0u);
}

TEST(Pct, FindsDepthThreeWithTwo) {
  // T0 is higher (1/2); T0 set back at step 1, T1 at step 3 and lower than T0: of the two change points, in order,
  // exactly these (1/36). 1/72 = 1/(n k^2) with k = 6.
  expect_probability(count_failures(kPingPong, policy_spec(PolicyKind::kPct, 0, 3, 6), kRuns, ping_ponged), 1.0 / 72);
}

TEST(Pct, AllOrdersOfThreadsAreEquallyLikely) {
  // Three threads with one step each and no change point: the schedule is the order of priorities, 1/6 each.
  const Program program{{{store(0, 1)}, {store(0, 2)}, {store(0, 3)}}, {}, {}};
  std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed)
    ++seen[run(program, policy_spec(PolicyKind::kPct, seed, 1)).schedule];
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [schedule, times] : seen) expect_probability(times, 1.0 / 6);
}

// T0 has `before` steps that concern nobody, then writes; T1 writes once.
Program late_writer(unsigned before) {
  std::vector<Step> first;
  for (unsigned i = 0; i < before; ++i) first.push_back(store(8, i));
  first.push_back(store(0, 1));
  return {{first, {store(0, 2)}}, {}, {}};
}
bool second_writes_last(const Played& r) {
  return read_memory(r.state, 0) == 2;
}

TEST(Pos, IndependentStepsCostLittle) {
  // T1's one event keeps its priority p while T0 does things that concern nobody; all 11 events of T0 must draw above
  // p: integral of (1-p)^11 = 1/12. A random walk has to choose T0 11 times: (1/2)^11 = 1/2048.
  const Program program = late_writer(10);
  expect_probability(count_failures(program, policy_spec(PolicyKind::kPos, 0), kRuns, second_writes_last), 1.0 / 12);
  expect_probability(count_failures(program, policy_spec(PolicyKind::kRandomWalk, 0), kRuns, second_writes_last),
                     1.0 / 2048);
}

TEST(Pos, DependentEventsDrawAnew) {
  // T0 writes twice, T1 reads. Each write is dependent on the pending read, so every turn is a new coin: the read comes
  // first 1/2, between 1/4, last 1/4. Without drawing again it would be 1/2, 1/6, 1/3.
  const Program program{{{store(0, 1), store(0, 2)}, {load(0, 0)}}, {}, {}};
  for (const auto& [value, probability] : {std::pair{0u, 0.5}, {1u, 0.25}, {2u, 0.25}}) {
    const auto reads = [wanted = value](const Played& r) { return r.state.threads[1].registers[0] == wanted; };
    expect_probability(count_failures(program, policy_spec(PolicyKind::kPos, 0), kRuns, reads), probability);
  }
}

TEST(Pos, MissesALongRunOfDependentSteps) {
  // 24 writes of T0 before T1's read of the same variable: a coin each, (1/2)^24.
  std::vector<Step> writes;
  for (unsigned i = 1; i <= 24; ++i) writes.push_back(store(0, i));
  const Program program{{writes, {load(0, 0)}}, {}, {}};
  const auto reads_last = [](const Played& r) { return r.state.threads[1].registers[0] == 24; };
  EXPECT_EQ(count_failures(program, policy_spec(PolicyKind::kPos, 0), kRuns, reads_last), 0u);
}

TEST(RunOn, FindsTheWrongOrderButNoPreemption) {
  // T1 signals without looking; T0 waits for ever if T1 came first. A seed is an order of two threads: 1/2.
  const Program lost_signal{{{lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)}, {on(OpKind::kCondSignal, 0)}}, {}, {}};
  const auto hangs = [](const Played& r) { return !r.complete; };
  expect_probability(count_failures(lost_signal, policy_spec(PolicyKind::kRunOn, 0), kRuns, hangs), 0.5);
  EXPECT_FALSE(hangs(run(lost_signal, policy_spec(PolicyKind::kRunOn, 0))));  // seed 0: T0 first
  // Misses what needs one preemption.
  EXPECT_EQ(count_failures(kLostUpdate, policy_spec(PolicyKind::kRunOn, 0), 2000, update_lost), 0u);
}

// Tries all placements of `switches` forced switches at the first eight decisions.
std::uint32_t count_preemptions(const Program& program, unsigned switches, bool (*failed)(const Played&)) {
  std::uint32_t failures = 0;
  PolicySpec spec = policy_spec(PolicyKind::kPreempt, 0);
  spec.switches = static_cast<std::uint8_t>(switches);
  for (std::uint32_t first = 0; first < 8; ++first) {
    spec.forced[0] = {first, 0};
    for (std::uint32_t second = first + 1; second < (switches > 1 ? 8 : first + 2); ++second) {
      spec.forced[1] = {second, 0};
      if (failed(run(program, spec))) ++failures;
    }
  }
  return failures;
}

TEST(Preempt, OneSwitchForOnePreemption) {
  // Decision 0 is who starts, decision 1 is between T0's load and store: only that one loses the update.
  EXPECT_EQ(count_preemptions(kLostUpdate, 1, update_lost), 1u);
  // Two are needed: before T0's second step (decision 1), and before T1's third (decision 3).
  EXPECT_EQ(count_preemptions(kPingPong, 1, ping_ponged), 0u);
  EXPECT_EQ(count_preemptions(kPingPong, 2, ping_ponged), 1u);
}

// T0 loads and stores, T1 adds in one step: lost iff T1 comes in between.
const Program kAddInBetween{{{load(0, 0), store(0, 1, 1)}, {add(0, 1)}}, {}, {}};
PolicySpec noise_spec(std::uint64_t seed, std::uint16_t frequency, NoisePlaces places) {
  PolicySpec spec = policy_spec(PolicyKind::kNoise, seed, 0, 0);
  spec.noise = {NoiseSeeding::kYield, places, frequency, 1, 0};
  return spec;
}
std::uint32_t lost_under_noise(std::uint16_t frequency, NoisePlaces places) {
  std::uint32_t lost = 0;
  for (std::uint32_t i = 0; i < kRuns; ++i)
    lost += update_lost(run(kAddInBetween, noise_spec(i + 1, frequency, places)));
  return lost;
}

TEST(Noise, HoldsThreadsBackAsOftenAsItSays) {
  // One decision each time, probability f = 0.2 per operation. T0 is first with 1/2: not disturbed at its load, at its
  // store only T0 (1-f)f(1-f); or both at the start, T0 goes all the same, and T0 at its store f*f*f. Otherwise T1 is
  // disturbed, T0 is not at its load but at its store f(1-f)f; both at the start: T1 goes.
  const double f = 0.2;
  const double probability = ((1 - f) * f * (1 - f) + f * f * f + f * (1 - f) * f) / 2;
  expect_probability(lost_under_noise(200, NoisePlaces::kEverywhere), probability);
  expect_probability(lost_under_noise(200, NoisePlaces::kMemory), probability);
}
TEST(Noise, WithoutNoiseNobodyIsPreempted) {
  EXPECT_EQ(lost_under_noise(0, NoisePlaces::kEverywhere), 0u);
  EXPECT_EQ(lost_under_noise(1000, NoisePlaces::kSync), 0u);      // there is no synchronisation
  EXPECT_EQ(lost_under_noise(1000, NoisePlaces::kVariable), 0u);  // no place is listed
}

// T0 and T1 are at a listed place, and each is gone after one turn; T2 goes on for ever. The decisions of the two
// turns.
std::vector<std::uint64_t> turns_of_disturbed(NoiseSeeding seeding, std::uint64_t seed) {
  PolicySpec spec = policy_spec(PolicyKind::kNoise, seed, 0, 0);
  spec.noise = {seeding, NoisePlaces::kVariable, kPerMille, 3, 0};
  spec.park_at[0] = 7;
  std::vector<OperationView> views(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    views[i].kind = OpKind::kAtomicLoad;
    views[i].thread = i;
    views[i].location = i < 2 ? 7 : 8;
  }
  Policy& policy = policy_for(PolicyKind::kNoise);
  policy.begin(spec);
  std::vector<std::uint64_t> turns;
  for (std::uint64_t decision = 1; turns.size() < 2 && decision < 100; ++decision) {
    const std::size_t next = policy.pick(Ready{views, 0, false});  // whoever is first ran last
    const ThreadIndex thread = views[next].thread;
    policy.executed(views[next]);
    if (thread == 2) continue;
    turns.push_back(decision);
    views.erase(views.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return turns;
}

TEST(Noise, HoldsThreadsBackForItsStrength) {
  using Turns = std::set<std::vector<std::uint64_t>>;
  std::map<NoiseSeeding, Turns> seen;
  for (const NoiseSeeding seeding : {NoiseSeeding::kYield, NoiseSeeding::kSynchYield, NoiseSeeding::kSleep}) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) seen[seeding].insert(turns_of_disturbed(seeding, seed));
  }
  // T0 is disturbed at decision 1 and free again three decisions later. T1 is disturbed at decision 1 too, or, where T2
  // comes before it, when T0 is gone: at decision 5.
  EXPECT_EQ(seen[NoiseSeeding::kYield], (Turns{{4, 5}, {4, 8}}));
  // If both are disturbed at once, T1's three decisions begin when T0's are over.
  EXPECT_EQ(seen[NoiseSeeding::kSynchYield], (Turns{{4, 7}, {4, 8}}));
  std::set<std::uint64_t> slept;
  for (const std::vector<std::uint64_t>& turns : seen[NoiseSeeding::kSleep]) slept.insert(turns[0]);
  EXPECT_EQ(slept, (std::set<std::uint64_t>{2, 3, 4}));  // one to three decisions
}

}  // namespace
}  // namespace ravel::toy
