// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What detectors cost: events a second through each of them, a campaign with and without, and the memory that ten
// million events need. The trace is that of a queue: four threads, sections of a lock around a shared counter and a
// slot, private work in between, a relaxed statistic. The race check alone also has a short trace of locks, blocks that
// are made, read and freed, and threads that pass over arrays in turn.
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

struct Writer {
  std::vector<Event> trace;

  explicit Writer(ThreadIndex threads) {
    for (ThreadIndex t = 1; t <= threads; ++t) {
      (*this)(0, OpKind::kThreadCreate, 0, 0, 1);
      trace.back().value = t;
    }
  }
  void operator()(ThreadIndex thread, OpKind kind, ObjectId object, std::uint32_t offset, LocationId location) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.object = object;
    e.offset = offset;
    e.size = 8;
    e.location = location;
    trace.push_back(e);
  }
};

std::vector<Event> locks_trace() {
  Writer emit(3);
  for (std::uint32_t turn = 0; turn < 45; ++turn) {
    const ThreadIndex t = 1 + turn % 3;
    emit(t, OpKind::kMutexLock, 1, 4096, 10);
    emit(t, OpKind::kRead, 1, 4160, 11);
    emit(t, OpKind::kWrite, 1, 4160, 12);
    emit(t, OpKind::kMutexUnlock, 1, 4096, 14);
    emit(t, OpKind::kAtomicRmw, 1, 4168, 15);
  }
  return emit.trace;
}

std::vector<Event> blocks_trace() {
  constexpr std::uint32_t kBlocks = 50'000;
  constexpr ObjectId kFirst = 10;
  Writer emit(1);
  std::uint32_t random = 1;
  for (std::uint32_t i = 0; i < kBlocks; ++i) {
    for (std::uint32_t cell = 0; cell < 6; ++cell) emit(0, OpKind::kWrite, kFirst + i, cell * 8, 20 + cell);
    random = random * 1664525u + 1013904223u;
    for (std::uint32_t level = 0; level < 4; ++level) {
      const ObjectId other = kFirst + (random >> (4 * level + 4)) % (i + 1);
      emit(0, OpKind::kRead, other, 32, 30);
      emit(0, OpKind::kRead, other, 16, 31);
    }
  }
  for (std::uint32_t i = 0; i < kBlocks; ++i) emit(0, OpKind::kHeapFree, kFirst + i, 0, 50);
  return emit.trace;
}

std::vector<Event> arrays_trace() {
  Writer emit(2);
  for (std::uint32_t turn = 0; turn < 8; ++turn) {
    const ThreadIndex t = 1 + turn % 2;
    emit(t, OpKind::kMutexLock, 1, 0, 10);
    for (std::uint32_t i = 0; i < 16'384; ++i) {
      emit(t, OpKind::kRead, 5, i * 8, 20);
      emit(t, OpKind::kWrite, 6, i * 8, 21);
    }
    emit(t, OpKind::kMutexUnlock, 1, 0, 14);
  }
  return emit.trace;
}

std::vector<Event> queue_trace(std::uint32_t events) {
  Writer emit(kThreadsOfTrace);
  std::vector<Event>& trace = emit.trace;
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
  return emit.trace;
}

const std::vector<Event>& trace_of_bench() {
  static const std::vector<Event> trace = queue_trace(1u << 16);
  return trace;
}

void count_events(benchmark::State& state, std::size_t events) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * events));
}

// Happens-before and FastTrack alone, without fingerprint and counting.
void fasttrack(benchmark::State& state, const std::vector<Event>& trace) {
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
  static const std::pair<const char*, std::vector<Event>> traces[] = {
      {"queue", trace_of_bench()}, {"locks", locks_trace()}, {"blocks", blocks_trace()}, {"arrays", arrays_trace()}};
  for (const auto& [name, trace] : traces) {
    const std::vector<Event>* of = &trace;
    benchmark::RegisterBenchmark(("fasttrack/" + std::string(name)).c_str(),
                                 [of](benchmark::State& state) { fasttrack(state, *of); });
  }
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

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
