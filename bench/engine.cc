// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the engine costs: for each event of a trace (fingerprint, happens-before, races) and for each execution.
// RAVEL_BENCH_ROUNDS=N: exactly N rounds of each, so that callgrind's counts of two runs can be subtracted.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <vector>

#include "base/arena.h"
#include "engine/analysis.h"
#include "engine/campaign.h"
#include "support/fixed_executor.h"

namespace {

using namespace ravel;
using namespace ravel::bench;

class NoLocations final : public LocationSink {
  void on_location(LocationId) override {}
};

constexpr std::uint32_t kEvents = 1 << 14;

// Event i of a thread, made by `fill`; the two threads take turns in stretches.
template <class Fill>
std::vector<Event> trace_of(Fill fill) {
  std::vector<Event> events;
  for (ThreadIndex t : {1u, 2u}) {
    Event create;
    create.kind = OpKind::kThreadCreate;
    create.value = t;
    events.push_back(create);
  }
  for (std::uint32_t i = 0; i < kEvents; ++i) {
    Event e;
    e.thread = 1 + (i / 16) % 2;
    e.object = 1;
    e.size = 4;
    e.location = 100 + i % 16;
    fill(e, i);
    events.push_back(e);
  }
  return events;
}

void analyse(benchmark::State& state, const std::vector<Event>& events) {
  SharedBlock& block = new_block();
  NoLocations nowhere;
  Analysis analysis(*Arena::create(block.arena, kArenaBytes), block, nowhere, PointsMode::kRacy);
  for (auto _ : state) {
    analysis.begin(Analysis::Depth::kAll, -1);
    analysis.consume(events, 0);
    benchmark::DoNotOptimize(analysis.fingerprint());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * events.size()));
  state.counters["event"] = benchmark::Counter(
      static_cast<double>(events.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void private_plain(benchmark::State& state) {
  analyse(state, trace_of([](Event& e, std::uint32_t i) {
            e.kind = i % 2 == 0 ? OpKind::kRead : OpKind::kWrite;
            e.offset = e.thread * 4096 + i % 64 * 8;
          }));
}
void fresh_plain(benchmark::State& state) {
  analyse(state, trace_of([](Event& e, std::uint32_t i) {
            e.kind = OpKind::kWrite;
            e.offset = i * 8;
          }));
}
void relaxed_atomics(benchmark::State& state) {
  analyse(state, trace_of([](Event& e, std::uint32_t i) {
            e.kind = i % 4 == 0 ? OpKind::kAtomicLoad : OpKind::kAtomicRmw;
            e.offset = i % 4 * 64;
          }));
}
void ordered_atomics(benchmark::State& state) {
  analyse(state, trace_of([](Event& e, std::uint32_t i) {
            e.kind = i % 4 == 0 ? OpKind::kAtomicLoad : OpKind::kAtomicRmw;
            e.bits = __ATOMIC_SEQ_CST;
            e.offset = i % 4 * 64;
          }));
}
// lock, read, write, unlock of one shared counter.
void locked_plain(benchmark::State& state) {
  constexpr OpKind kKinds[] = {OpKind::kMutexLock, OpKind::kRead, OpKind::kWrite, OpKind::kMutexUnlock};
  analyse(state, trace_of([&](Event& e, std::uint32_t i) {
            e.kind = kKinds[i % 4];
            e.offset = e.kind == OpKind::kRead || e.kind == OpKind::kWrite ? 128 : 64;
          }));
}

// A whole campaign: strategy, analysis, counting, publishing; no program.
void execution(benchmark::State& state, const char* strategy) {
  SharedBlock& block = new_block();
  FixedExecutor executor(block, tiny_trace());
  std::strncpy(block.campaign.strategy, strategy, sizeof(block.campaign.strategy) - 1);
  block.campaign.base.max_steps = 1'000'000;
  block.campaign.shard_count = 1;
  while (state.KeepRunningBatch(1000)) {
    block.campaign.iterations += 1000;
    run_campaign(block, executor);
  }
}

void exactly(benchmark::internal::Benchmark* benchmark) {
  const char* rounds = std::getenv("RAVEL_BENCH_ROUNDS");
  if (rounds != nullptr) benchmark->Iterations(std::atol(rounds));
}

BENCHMARK(private_plain)->Apply(exactly);
BENCHMARK(fresh_plain)->Apply(exactly);
BENCHMARK(relaxed_atomics)->Apply(exactly);
BENCHMARK(ordered_atomics)->Apply(exactly);
BENCHMARK(locked_plain)->Apply(exactly);
BENCHMARK_CAPTURE(execution, portfolio, "portfolio")->Apply(exactly);
BENCHMARK_CAPTURE(execution, random, "random")->Apply(exactly);

}  // namespace

BENCHMARK_MAIN();
