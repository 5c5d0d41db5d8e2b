// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a decision of a guided search costs: policy `guided' ranks threads, each with a call stack, takes one, and sees
// it execute its operation. Goal: 12 threads below 2 us.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "model/policy_depth.h"
#include "runtime/policy/policies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kPlaces = 200;
constexpr std::uint32_t kFrames = 4;

std::uint32_t calls_of(ThreadIndex thread, LocationId* out, std::uint32_t room) {
  std::uint32_t count = 0;
  for (; count < kFrames && count < room; ++count) out[count] = 10 + (thread.number() * 7 + count * 31) % kPlaces;
  return count;
}

void rank_decision(benchmark::State& state) {
  const auto threads = static_cast<std::uint32_t>(state.range(0));
  std::vector<LocationId> locations = {5, 6};
  std::vector<GoalEntry> entries = {{0, 1}, {1, 2}};
  std::vector<GuidePlace> places;
  std::vector<std::uint32_t> distances;
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    places.push_back({10 + i, 3, i, kFarAway});
    for (std::uint32_t column = 0; column < 3; ++column) distances.push_back((i * 13 + column) % 97);
  }
  auto visited = std::make_unique<VisitedStates>();
  std::vector<RankedChoice> log(kMaxRanked);
  GuideProgress progress;
  std::uint32_t decisions = 0;
  GuideSeat seat;
  seat.guide = {entries, locations, places, distances, {}, {}};
  seat.progress = &progress;
  seat.log = log;
  seat.visited = visited.get();
  seat.decisions = &decisions;
  seat.calls = calls_of;
  PolicySpec spec;
  spec.kind = PolicyKind::kGuided;
  spec.depth = kByDistance;
  Policy& policy = guided_policy();
  policy.guide(seat);
  policy.begin(spec);
  std::vector<OperationView> ready(threads);
  for (std::uint32_t i = 0; i < threads; ++i) {
    ready[i] = {OpKind::kAtomicLoad, 0, 4, static_cast<ThreadIndex>(i), 4096 + 64 * i, 0, 10 + i};
  }
  for (auto _ : state) {
    const std::size_t taken = policy.pick({ready, 0, false});
    policy.executed(ready[taken]);
    ready[taken].location = 10 + (ready[taken].location.number() + 3) % kPlaces;
    if (++decisions % 1024 == 0) progress.ranked = 0;
  }
  policy.guide({});
}
BENCHMARK(rank_decision)->Arg(2)->Arg(12)->Arg(22);

}  // namespace
}  // namespace ravel

BENCHMARK_MAIN();
