// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How what threads of a free run recorded becomes one trace, and what is found in it.
#include "report/free_trace.h"

#include <gtest/gtest.h>

#include "detect/detector_table.h"
#include "investigate/noise_compare.h"
#include "investigate/noise_minimise.h"
#include "report/trace_observers.h"

namespace ravel {
namespace {

constexpr std::uint64_t kBase = 0x10000;
constexpr std::uint64_t kVariable = 0x7000'0000'0000;
constexpr std::uint64_t kMutex = 0x7000'0000'1000;

// A run that is written down thread by thread.
struct Written {
  FreeRecord record;
  std::uint64_t order = 0;
  std::uint64_t clock = 0;

  explicit Written(std::size_t threads) {
    record.traced = true;
    record.threads.resize(threads);
    ModuleRecord module;
    module.base = kBase;
    module.end = kBase + 0x10000;
    record.modules.push_back(module);
    for (std::uint32_t i = 1; i < threads; ++i) record.threads[i].number = i;
    sync(0, OpKind::kThreadStart, 0);
    for (std::uint32_t i = 1; i < threads; ++i) {
      sync(0, OpKind::kThreadCreate, 0, i);
      sync(i, OpKind::kThreadStart, 0);
    }
  }
  void sync(std::uint32_t thread, OpKind kind, std::uint64_t address, std::uint32_t value = 0) {
    FreeThreadRecord& one = record.threads[thread];
    FreeEvent event;
    event.order = ++order;
    event.address = address;
    event.pc = kBase + 0x100 + order;
    event.kind = kind;
    event.value = value;
    one.stamps.push_back({one.events.size(), ++clock});
    one.events.push_back(event);
  }
  void access(std::uint32_t thread, OpKind kind, std::uint64_t pc, std::uint64_t address = kVariable,
              std::uint64_t time = 0) {
    FreeThreadRecord& one = record.threads[thread];
    FreeEvent event;
    event.order = time != 0 ? time : ++clock;
    event.address = address;
    event.pc = kBase + pc;
    event.kind = kind;
    event.size = 4;
    event.value = static_cast<std::uint32_t>(one.events.size());
    one.accesses.push_back(event);
  }
  [[nodiscard]] std::size_t races(DetectorId id = DetectorId::kDataRace) const {
    FreeTrace trace = trace_free_run(record);
    EXPECT_TRUE(trace.doubt.empty());
    observe(trace.record, detector_bit(id));
    return trace.record.races.size() + trace.record.detections.size();
  }
};

TEST(FreeTrace, UnorderedAccessesRaceForEachOfTheDetectors) {
  Written run(3);
  run.access(1, OpKind::kWrite, 1);
  run.access(2, OpKind::kWrite, 2);
  EXPECT_EQ(run.races(), 1u);
  EXPECT_EQ(run.races(DetectorId::kVectorClock), 1u);
  EXPECT_EQ(run.races(DetectorId::kGoldiLocks), 1u);
}

// The time stamps say that the second section came first: locks know better.
TEST(FreeTrace, SynchronisationOrderHoldsAgainstTimeStamps) {
  Written run(3);
  run.sync(1, OpKind::kMutexLock, kMutex);
  run.access(1, OpKind::kWrite, 1, kVariable, 900);
  run.sync(1, OpKind::kMutexUnlock, kMutex);
  run.sync(2, OpKind::kMutexLock, kMutex);
  run.access(2, OpKind::kWrite, 2, kVariable, 5);
  run.sync(2, OpKind::kMutexUnlock, kMutex);
  EXPECT_EQ(run.races(), 0u);
  const FreeTrace trace = trace_free_run(run.record);
  std::vector<std::uint32_t> order;
  for (const Event& e : trace.record.events) {
    if (e.kind == OpKind::kWrite) order.push_back(e.thread.number());
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 2}));
}

TEST(FreeTrace, AccessesBetweenSynchronisationComeByTheirTime) {
  Written run(3);
  run.access(1, OpKind::kRead, 1, kVariable, 100);
  run.access(2, OpKind::kRead, 2, kVariable, 101);
  run.access(1, OpKind::kRead, 3, kVariable, 102);
  std::vector<std::uint32_t> order;
  for (const Event& e : trace_free_run(run.record).record.events) {
    if (e.kind == OpKind::kRead) order.push_back(e.thread.number());
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 2, 1}));
}

TEST(FreeTrace, JoiningOrdersAThreadThatRecordedNoEnd) {
  Written run(2);
  run.access(1, OpKind::kWrite, 1);
  run.sync(0, OpKind::kThreadJoin, 0, 1);
  run.access(0, OpKind::kRead, 2);
  EXPECT_EQ(run.races(), 0u);
}

// A block that was freed and made again is another object: its memory orders nothing, and races with nothing.
TEST(FreeTrace, MemoryThatIsUsedAgainIsAnotherObject) {
  Written run(3);
  run.sync(1, OpKind::kHeapAlloc, kVariable, 16);
  run.access(1, OpKind::kWrite, 1);
  run.sync(1, OpKind::kHeapFree, kVariable);
  run.sync(2, OpKind::kHeapAlloc, kVariable, 16);
  run.access(2, OpKind::kWrite, 2);
  EXPECT_EQ(run.races(), 0u);
}

TEST(FreeTrace, AFreeRacesWithAnAccess) {
  Written run(3);
  run.sync(1, OpKind::kHeapAlloc, kVariable, 16);
  run.sync(1, OpKind::kMutexLock, kMutex);
  run.sync(1, OpKind::kMutexUnlock, kMutex);
  run.sync(2, OpKind::kMutexLock, kMutex);
  run.sync(2, OpKind::kMutexUnlock, kMutex);
  run.access(2, OpKind::kRead, 2);
  run.sync(1, OpKind::kHeapFree, kVariable);
  EXPECT_EQ(run.races(), 1u);
}

// With its rounds in order, and where the beginning was overwritten: no edge may be missing.
TEST(FreeTrace, BarriersOrderTheirRounds) {
  constexpr std::uint64_t kBarrier = kMutex + 64;
  for (const bool overwritten : {false, true}) {
    Written run(3);
    run.sync(0, OpKind::kBarrierInit, kBarrier, 2);
    run.access(1, OpKind::kWrite, 1);
    run.sync(1, OpKind::kBarrierArrive, kBarrier);
    run.sync(2, OpKind::kBarrierArrive, kBarrier);
    run.sync(2, OpKind::kBarrierLeave, kBarrier);
    run.access(2, OpKind::kWrite, 2);
    run.sync(1, OpKind::kBarrierLeave, kBarrier);
    if (overwritten) {
      FreeThreadRecord& first = run.record.threads[0];
      first.events.erase(first.events.begin(), first.events.begin() + 2);
      first.stamps.erase(first.stamps.begin(), first.stamps.begin() + 2);
      first.complete = false;
    }
    EXPECT_EQ(run.races(), 0u) << overwritten;
  }
}

// A writer's lock that was overwritten must not make its unlock a reader's, which would order no readers.
TEST(FreeTrace, WhatWasOverwrittenInventsNoRace) {
  Written run(3);
  run.sync(1, OpKind::kRwWriteLock, kMutex);
  run.sync(1, OpKind::kAtomicLoad, kMutex + 128);
  run.access(1, OpKind::kWrite, 1);
  run.sync(1, OpKind::kRwUnlock, kMutex);
  run.sync(2, OpKind::kRwReadLock, kMutex);
  run.access(2, OpKind::kRead, 2);
  FreeThreadRecord& writer = run.record.threads[1];
  writer.events.erase(writer.events.begin(), writer.events.begin() + 2);
  writer.stamps.erase(writer.stamps.begin(), writer.stamps.begin() + 2);
  writer.complete = false;
  EXPECT_FALSE(trace_free_run(run.record).from_start);
  EXPECT_EQ(run.races(), 0u);
}

TEST(FreeTrace, SynchronisationThatIsNotSeenIsADoubt) {
  Written run(2);
  run.record.unrecorded = 1;
  EXPECT_FALSE(trace_free_run(run.record).doubt.empty());
}

std::vector<std::pair<std::size_t, std::size_t>> holes_of(const FreeTrace& trace) {
  std::vector<std::pair<std::size_t, std::size_t>> holes;
  for (const TraceHole& hole : trace.holes) holes.emplace_back(hole.first, hole.last);
  return holes;
}

// Thread 2 did not log from 102 to 104 and from 106 on: what thread 1 did meanwhile is in a hole.
TEST(FreeTrace, GapsOfOneThreadAreHolesAmongTheAccessesOfOthers) {
  Written run(3);
  for (std::uint64_t time = 101; time < 108; ++time) run.access(1, OpKind::kRead, time, kVariable, time);
  const std::size_t before = trace_free_run(run.record).record.events.size() - 7;
  EXPECT_TRUE(trace_free_run(run.record).from_start);
  run.record.threads[2].gaps = {{102, 104}, {106, 1000}};
  const FreeTrace trace = trace_free_run(run.record);
  EXPECT_FALSE(trace.from_start);
  EXPECT_EQ(holes_of(trace),
            (std::vector<std::pair<std::size_t, std::size_t>>{{before + 1, before + 3}, {before + 5, before + 7}}));
}

// A gap that nobody's accesses fall into is a hole as well: what was before it says nothing about what is behind.
TEST(FreeTrace, GapsThatOverlapAreOneHole) {
  Written run(3);
  run.access(1, OpKind::kRead, 1, kVariable, 101);
  run.access(1, OpKind::kRead, 2, kVariable, 110);
  const std::size_t before = trace_free_run(run.record).record.events.size() - 2;
  run.record.threads[2].gaps = {{103, 105}, {9, 8}};
  run.record.threads[0].gaps = {{102, 104}};
  EXPECT_EQ(holes_of(trace_free_run(run.record)),
            (std::vector<std::pair<std::size_t, std::size_t>>{{before + 1, before + 1}}));
}

TEST(NoiseComparison, EqualValuesShareTheirRanks) {
  EXPECT_EQ(ranks_of({5, 9, 5, 1}), (std::vector<double>{2.5, 1, 2.5, 4}));
}

// Only b and e together fail.
TEST(NoiseMinimum, LeavesWhatIsNeeded) {
  const auto fails = [](const std::vector<std::string>& places) {
    return std::count(places.begin(), places.end(), "b") + std::count(places.begin(), places.end(), "e") == 2;
  };
  EXPECT_EQ(leave_out({"a", "b", "c", "d", "e", "f", "g"}, fails), (std::vector<std::string>{"b", "e"}));
  EXPECT_EQ(leave_out({"a"}, [](const auto&) { return true; }), (std::vector<std::string>{"a"}));
}

}  // namespace
}  // namespace ravel
