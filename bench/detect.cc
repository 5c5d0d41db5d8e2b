// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What detectors cost: events a second through each of them, a campaign with and without, and the memory that ten
// million events need. The trace is that of a queue: four threads, sections of a lock around a shared counter and a
// slot, private work in between, a relaxed statistic.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstring>
#include <memory_resource>
#include <vector>

#include "base/arena.h"
#include "causality/causality.h"
#include "detect/fasttrack.h"
#include "engine/analysis.h"
#include "engine/campaign.h"
#include "support/fixed_executor.h"

namespace {

using namespace ravel;
using namespace ravel::bench;

class NoLocations final : public LocationSink {
  void on_location(LocationId) override {}
};
class NoRaces final : public RaceSink {
  void on_race(const RaceRecord&, std::uint32_t, std::uint8_t) override {}
};

constexpr std::uint32_t kThreadsOfTrace = 4;
constexpr std::uint32_t kStretch = 16;  // events of one turn

std::vector<Event> queue_trace(std::uint32_t events) {
  std::vector<Event> trace;
  const auto emit = [&](ThreadIndex thread, OpKind kind, ObjectId object, std::uint32_t offset, LocationId location) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.object = object;
    e.offset = offset;
    e.size = 8;
    e.location = location;
    trace.push_back(e);
  };
  for (ThreadIndex t = 1; t <= kThreadsOfTrace; ++t) {
    emit(0, OpKind::kThreadCreate, 0, 0, 1);
    trace.back().value = t;
  }
  for (std::uint32_t turn = 0; trace.size() < events; ++turn) {
    const ThreadIndex t = 1 + turn % kThreadsOfTrace;
    emit(t, OpKind::kMutexLock, 1, 0, 10);
    emit(t, OpKind::kRead, 1, 64, 11);
    emit(t, OpKind::kWrite, 1, 64, 12);
    emit(t, OpKind::kWrite, 1, 128 + turn % 256 * 8, 13);
    emit(t, OpKind::kMutexUnlock, 1, 0, 14);
    emit(t, OpKind::kAtomicRmw, 2, 0, 15);
    for (std::uint32_t i = 6; i < kStretch; ++i) {
      emit(t, i % 3 == 0 ? OpKind::kWrite : OpKind::kRead, 10 + t, (turn * 40 + i) % 512 * 8, 20 + i);
    }
  }
  return trace;
}

const std::vector<Event>& trace_of_bench() {
  static const std::vector<Event> trace = queue_trace(1u << 16);
  return trace;
}

void count_events(benchmark::State& state, std::size_t events) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * events));
}

// Happens-before and FastTrack alone, without fingerprint and counting.
void fasttrack(benchmark::State& state) {
  const std::vector<Event>& trace = trace_of_bench();
  std::pmr::monotonic_buffer_resource memory;
  Causality causality(memory, CausalityOptions{});
  NoRaces nothing;
  FastTrack detector(memory, causality, nothing);
  for (auto _ : state) {
    causality.begin();
    detector.begin();
    std::uint64_t sequence = 0;
    for (const Event& e : trace) {
      const Epoch epoch = causality.on_event(e);
      detector.on_event(e, sequence++, epoch);
    }
  }
  count_events(state, trace.size());
}

// The whole analysis with these detectors.
void analysis_with(benchmark::State& state, std::uint64_t detectors) {
  const std::vector<Event>& trace = trace_of_bench();
  SharedBlock& block = new_block();
  block.campaign.detectors = detectors;
  NoLocations nowhere;
  Analysis analysis(*Arena::create(block.arena, kArenaBytes), block, nowhere, PointsMode::kSync);
  for (auto _ : state) {
    analysis.begin(Analysis::Depth::kAll, -1);
    analysis.consume(trace, 0);
    analysis.finish();
    benchmark::DoNotOptimize(analysis.detections());
  }
  count_events(state, trace.size());
}

void campaign_with(benchmark::State& state, std::uint64_t detectors) {
  SharedBlock& block = new_block();
  FixedExecutor executor(block, tiny_trace());
  std::strncpy(block.campaign.strategy, "random", sizeof(block.campaign.strategy) - 1);
  block.campaign.detectors = detectors;
  block.campaign.base.points = PointsMode::kSync;
  block.campaign.base.max_steps = 1'000'000;
  block.campaign.shard_count = 1;
  while (state.KeepRunningBatch(1000)) {
    block.campaign.iterations += 1000;
    run_campaign(block, executor);
  }
}

// Ten million events in one execution; "MB" is what the process grew by at most.
void ten_million_events(benchmark::State& state, std::uint64_t detectors) {
  const std::vector<Event>& trace = trace_of_bench();
  SharedBlock& block = new_block();
  block.campaign.detectors = detectors;
  NoLocations nowhere;
  Analysis analysis(*Arena::create(block.arena, kArenaBytes), block, nowhere, PointsMode::kSync);
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
  };
  const double before = peak();
  std::uint64_t events = 0;
  for (auto _ : state) {
    analysis.begin(Analysis::Depth::kAll, -1);
    for (std::uint64_t first = 0; first < 10'000'000; first += trace.size()) {
      analysis.consume(std::span<const Event>(trace).subspan(first == 0 ? 0 : kThreadsOfTrace), first);
      events += trace.size();
    }
    analysis.finish();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
  state.counters["MB"] = peak() - before;
}

void register_all() {
  for (const DetectorRow& row : detector_table()) {
    const std::uint64_t bit = detector_bit(row.id);
    benchmark::RegisterBenchmark(("analysis/" + std::string(row.name)).c_str(),
                                 [bit](benchmark::State& state) { analysis_with(state, bit); });
  }
  const std::pair<const char*, std::uint64_t> sets[] = {{"none", 0},
                                                        {"data-race", detector_bit(DetectorId::kDataRace)},
                                                        {"default", default_detectors()},
                                                        {"all", all_detectors()}};
  for (const auto& [name, bits] : sets) {
    const std::uint64_t which = bits;
    benchmark::RegisterBenchmark(("analysis/" + std::string(name)).c_str(),
                                 [which](benchmark::State& state) { analysis_with(state, which); });
    benchmark::RegisterBenchmark(("campaign/" + std::string(name)).c_str(),
                                 [which](benchmark::State& state) { campaign_with(state, which); });
  }
  benchmark::RegisterBenchmark("ten_million_events/default", [](benchmark::State& state) {
    ten_million_events(state, default_detectors());
  })->Iterations(1);
}

BENCHMARK(fasttrack);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
