// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accesses that are not shown to the race detector: on random programs, each in several orders, the races found are
// those of a detector that sees everything, and the shared locations those of a search in every execution.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "causality/causality.h"
#include "detect/fasttrack.h"
#include "engine/quiet_accesses.h"

namespace ravel::testing {
namespace {

constexpr std::uint32_t kThreads = 5;
constexpr ObjectId kModule = 1;
constexpr ObjectId kFirstHeap = 2;
constexpr std::uint32_t kHeapObjects = 4;
constexpr ObjectId kMutex = kFirstHeap + kHeapObjects;

using Program = std::array<std::vector<Event>, kThreads>;

struct Maker {
  Random random;
  LocationId next_location = 1;

  Event op(OpKind kind, ThreadIndex thread) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.location = next_location++;
    return e;
  }

  void access(std::vector<Event>& body, ThreadIndex thread) {
    const bool heap = random.below(2) != 0;
    const std::uint64_t what = random.below(10);
    Event e = op(what < 5 ? OpKind::kRead : what < 9 ? OpKind::kWrite : OpKind::kAtomicRmw, thread);
    if (e.kind == OpKind::kAtomicRmw) e.bits = 4;  // acquire and release
    e.object = heap ? ObjectId(kFirstHeap + static_cast<std::uint32_t>(random.below(kHeapObjects))) : kModule;
    // Most memory belongs to one thread.
    const std::uint64_t whose = random.below(4) == 0 ? 0 : 1 + thread;
    e.offset = static_cast<std::uint32_t>(16 * whose + 4 * random.below(3));
    e.size = static_cast<std::uint16_t>(1u << random.below(4));
    const bool locked = random.below(4) == 0;
    if (locked) body.push_back(of_mutex(OpKind::kMutexLock, thread));
    const std::uint64_t times = 1 + random.below(3);
    for (std::uint64_t i = 0; i < times; ++i) body.push_back(e);
    if (locked) body.push_back(of_mutex(OpKind::kMutexUnlock, thread));
  }

  Event of_mutex(OpKind kind, ThreadIndex thread) {
    Event e = op(kind, thread);
    e.object = kMutex;
    return e;
  }

  // Main creates the others, joins most of them, and all of them touch memory; some free a heap object at their end.
  Program program() {
    Program made;
    for (ThreadIndex t = 1; t < kThreads; ++t) {
      std::vector<Event>& body = made[t];
      body.push_back(op(OpKind::kThreadStart, t));
      for (std::uint64_t n = random.below(5); n > 0; --n) access(body, t);
      if (random.below(3) == 0) free_one(body, t);
      body.push_back(op(OpKind::kThreadEnd, t));
    }
    std::vector<Event>& main = made[0];
    for (ThreadIndex t = 1; t < kThreads; ++t) {
      for (std::uint64_t n = random.below(3); n > 0; --n) access(main, 0);
      main.push_back(op(OpKind::kThreadCreate, 0));
      main.back().value = t;
    }
    for (ThreadIndex t = 1; t < kThreads; ++t) {
      if (random.below(4) == 0) continue;
      main.push_back(op(OpKind::kThreadJoin, 0));
      main.back().value = t;
      if (random.below(2) == 0) access(main, 0);
    }
    if (random.below(2) == 0) free_one(main, 0);
    return made;
  }

  // Each object by one thread at most: freed twice is another defect.
  void free_one(std::vector<Event>& body, ThreadIndex thread) {
    if (thread >= kHeapObjects) return;
    Event e = op(OpKind::kHeapFree, thread);
    e.object = kFirstHeap + thread;
    body.push_back(e);
  }

  std::vector<Event> order_of(const Program& program) {
    std::vector<Event> trace;
    std::array<std::size_t, kThreads> at = {};
    std::array<bool, kThreads> created = {true};
    std::array<bool, kThreads> ended = {};
    std::uint32_t holder = kThreads;
    for (;;) {
      std::vector<ThreadIndex> ready;
      for (ThreadIndex t = 0; t < kThreads; ++t) {
        if (!created[t] || at[t] == program[t].size()) continue;
        const Event& e = program[t][at[t]];
        if (e.kind == OpKind::kThreadJoin && !ended[e.value]) continue;
        if (e.kind == OpKind::kMutexLock && holder != kThreads) continue;
        ready.push_back(t);
      }
      if (ready.empty()) return trace;
      const ThreadIndex t = ready[random.below(ready.size())];
      const Event& e = program[t][at[t]++];
      if (e.kind == OpKind::kThreadCreate) created[e.value] = true;
      if (e.kind == OpKind::kThreadEnd) ended[t] = true;
      if (e.kind == OpKind::kMutexLock) holder = t;
      if (e.kind == OpKind::kMutexUnlock) holder = kThreads;
      trace.push_back(e);
    }
  }
};

// As campaigns keep them: the first of each pair of locations.
struct Races final : RaceSink {
  std::set<std::pair<LocationId, LocationId>> pairs;
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, int>> list;
  void clear() {
    pairs.clear();
    list.clear();
  }
  void on_race(const RaceRecord& race, std::uint32_t cell, std::uint8_t mask) override {
    if (!pairs.insert(std::minmax(race.first.location, race.second.location)).second) return;
    list.emplace_back(race.first_seq, race.second_seq, cell, mask);
  }
};

struct Locations final : LocationSink {
  std::set<LocationId> list;
  void on_location(LocationId location) override { list.insert(location); }
};

FastTrackLimits small() {
  FastTrackLimits limits;
  limits.lines = limits.accesses = 1u << 10;
  limits.objects = 64;
  return limits;
}

CausalityOptions few() {
  CausalityOptions options;
  options.max_threads = 64;
  options.max_clock_nodes = 1u << 12;
  options.max_sync_places = 1u << 8;
  return options;
}

TEST(QuietAccesses, LeavingThemOutChangesNoRace) {
  std::pmr::monotonic_buffer_resource memory;
  std::vector<ObjectRecord> objects(kMaxObjects);
  objects[kModule].kind = ObjectKind::kModule;
  for (ObjectId o = kFirstHeap; o < kFirstHeap + kHeapObjects; ++o) {
    objects[o].kind = ObjectKind::kHeap;
    objects[o].ordinal = o;
  }
  Causality causality(memory, few());
  Causality partly(memory, few());  // is not shown quiet accesses either
  Races all;
  Races some;
  FastTrack reference(memory, causality, all, small());
  FastTrack spared(memory, partly, some, small());
  std::uint64_t settled = 0;
  std::uint64_t quiet_events = 0;
  std::uint64_t races = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::pmr::monotonic_buffer_resource scratch;
    Maker maker{Random(seed)};
    const Program program = maker.program();
    Locations found;
    Locations wanted;
    QuietAccesses quiet(scratch, found, objects.data());
    SharedLocations shared(scratch, quiet, 1u << 10, 1u << 12);
    SharedLocations each_time(scratch, wanted, 1u << 10, 1u << 12);
    for (int round = 0; round < 12; ++round) {
      const std::vector<Event> trace = maker.order_of(program);
      shared.begin();
      each_time.begin();
      for (const Event& e : trace) (void)each_time.on_event(e);
      quiet.begin(trace);
      if (!quiet.settled()) {
        for (const Event& e : trace) {
          const Epoch epoch = shared.on_event(e);
          quiet.on_event(e, epoch, shared);
        }
        quiet.finish(trace, true);
      }
      settled += quiet.settled();
      causality.begin();
      partly.begin();
      reference.begin();
      spared.begin();
      all.clear();
      some.clear();
      std::uint64_t sequence = 0;
      for (const Event& e : trace) {
        reference.on_event(e, sequence, causality.on_event(e));
        const bool is_quiet = quiet.settled() && quiet.is_quiet(e);
        if (!is_quiet || !partly.may_skip(e)) {
          const Epoch epoch = partly.on_event(e);
          if (!is_quiet) spared.on_event(e, sequence, epoch);
        }
        quiet_events += is_quiet;
        ++sequence;
      }
      ASSERT_EQ(all.list, some.list) << "program " << seed << ", order " << round;
      races += all.list.size();
    }
    // Whose records of one location cover several offsets may be told in one order only; here each has one.
    EXPECT_EQ(found.list, wanted.list) << "program " << seed;
  }
  EXPECT_GT(settled, 3000u);
  EXPECT_GT(quiet_events, 10'000u);
  EXPECT_GT(races, 3000u);
}

TEST(QuietAccesses, TheSetIsKnownInAnyOrderAndByEverythingInIt) {
  std::vector<ObjectRecord> objects(kMaxObjects);
  Maker maker{Random(4)};
  const Program program = maker.program();
  const std::vector<Event> trace = maker.order_of(program);
  const std::uint64_t pattern = QuietAccesses::pattern_of(trace, objects.data());
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(QuietAccesses::pattern_of(maker.order_of(program), objects.data()), pattern);
  }
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (trace[i].object == kMutex) continue;
    for (int change = 0; change < 5; ++change) {
      std::vector<Event> other = trace;
      Event& e = other[i];
      if (change == 0) e.thread = 7;
      if (change == 1) e.offset += 4;
      if (change == 2) e.location = e.location + 1000;
      if (change == 3) e.size += 1;
      if (change == 4) e.object = e.object + 30;
      EXPECT_NE(QuietAccesses::pattern_of(other, objects.data()), pattern) << i << " " << change;
    }
  }
  // Behind the creation of a thread an access is another one than before it.
  std::vector<Event> moved(2);
  moved[0] = maker.op(OpKind::kThreadCreate, 0);
  moved[1] = maker.op(OpKind::kRead, 0);
  const std::uint64_t behind = QuietAccesses::pattern_of(moved, objects.data());
  std::swap(moved[0], moved[1]);
  EXPECT_NE(QuietAccesses::pattern_of(moved, objects.data()), behind);
}

// Others than the race detector look at these: an access to another thread's stack is never quiet, an execution with
// regions has no pattern.
TEST(QuietAccesses, StacksOfOthersAndRegionsAreLookedAt) {
  std::pmr::monotonic_buffer_resource memory;
  std::vector<ObjectRecord> objects(kMaxObjects);
  objects[3].kind = ObjectKind::kStack;
  objects[3].owner = 0;
  Maker maker{Random(1)};
  std::vector<Event> trace = {maker.op(OpKind::kWrite, 0), maker.op(OpKind::kThreadCreate, 0),
                              maker.op(OpKind::kThreadStart, 1), maker.op(OpKind::kRead, 1)};
  for (Event& e : trace) {
    e.object = e.kind == OpKind::kRead || e.kind == OpKind::kWrite ? 3 : 0;
    e.size = 4;
    e.value = 1;
  }
  Locations points;
  QuietAccesses quiet(memory, points, objects.data());
  SharedLocations shared(memory, quiet, 1u << 10, 1u << 12);
  const auto show = [&] {
    shared.begin();
    quiet.begin(trace);
    for (const Event& e : trace) {
      const Epoch epoch = shared.on_event(e);
      if (!quiet.settled()) quiet.on_event(e, epoch, shared);
    }
    quiet.finish(trace, true);
  };
  show();
  EXPECT_FALSE(quiet.settled());
  show();
  EXPECT_TRUE(quiet.settled());
  EXPECT_TRUE(quiet.is_quiet(trace.front()));
  EXPECT_FALSE(quiet.is_quiet(trace.back()));
  EXPECT_TRUE(points.list.empty());
  trace.push_back(maker.op(OpKind::kRegionBegin, 1));
  show();
  show();
  EXPECT_FALSE(quiet.settled());
}

}  // namespace
}  // namespace ravel::testing
