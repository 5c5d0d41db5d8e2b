// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which locations become scheduling points, on random traces: whoever takes part in a race, by comparing all pairs, is
// a racy point; racy points are shared points; shared points are plain accesses and frees.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory_resource>
#include <set>
#include <vector>

#include "causality/causality.h"
#include "detect/fasttrack.h"
#include "detect/race_table.h"
#include "detect/shared_locations.h"
#include "support/random_trace.h"

namespace ravel {
namespace {

using Set = std::set<LocationId>;

class Locations final : public LocationSink {
 public:
  void on_location(LocationId location) override { found.insert(location); }
  Set found;
};

CausalityOptions small() {
  CausalityOptions options;
  options.max_threads = 64;
  options.max_clock_nodes = 4096;
  options.max_sync_places = 256;
  return options;
}

bool is_plain(const Event& e) {
  return e.kind == OpKind::kRead || e.kind == OpKind::kWrite || e.kind == OpKind::kHeapFree;
}
// What takes or gives back a mutex is an atomic write of its first word.
AccessClass class_of(const Event& e) {
  return moves_mutex(e.kind, e.bits) ? AccessClass::kAtomicWrite : access_class(e);
}
std::uint32_t bytes_of(const Event& e) {
  return moves_mutex(e.kind, e.bits) ? 4 : e.size;
}
bool overlap(const Event& a, const Event& b) {
  if (a.object != b.object) return false;
  if (a.kind == OpKind::kHeapFree || b.kind == OpKind::kHeapFree) return true;
  return a.offset < b.offset + bytes_of(b) && b.offset < a.offset + bytes_of(a);
}

Set points_racy(const std::vector<Event>& events) {
  std::pmr::memory_resource& memory = *std::pmr::new_delete_resource();
  Locations locations;
  RacyCells cells(memory, 1u << 10);
  std::vector<RaceRecord> table(kMaxRaces);
  RaceTable races(table.data(), kMaxRaces, locations, &cells);
  Causality causality(memory, small());
  FastTrack fasttrack(memory, causality, races, FastTrackLimits{1024, 4096, 256});
  fasttrack.begin();
  std::uint64_t sequence = 0;
  for (const Event& e : events) {
    const Epoch epoch = causality.on_event(e);
    if (moves_mutex(e.kind, e.bits)) fasttrack.move_mutex(e, sequence, epoch);
    fasttrack.on_event(e, sequence++, epoch);
  }
  SharedLocations around(memory, locations, 1u << 10, 1u << 12, &cells);
  around.begin();
  for (const Event& e : events) around.on_event(e);
  EXPECT_FALSE(fasttrack.truncated() || around.truncated() || cells.full());
  return locations.found;
}

Set points_shared(const std::vector<Event>& events) {
  Locations locations;
  SharedLocations shared(*std::pmr::new_delete_resource(), locations, 1u << 10, 1u << 12);
  shared.begin();
  for (const Event& e : events) shared.on_event(e);
  EXPECT_FALSE(shared.truncated());
  return locations.found;
}

Set points_all(const std::vector<Event>& events) {
  Set all;
  for (const Event& e : events) {
    if (is_plain(e)) all.insert(e.location);
  }
  return all;
}

// Every pair of conflicting accesses that nothing orders.
Set take_part_in_races(const std::vector<Event>& events) {
  Causality causality(*std::pmr::new_delete_resource(), small());
  std::vector<Epoch> epochs;
  Set racing;
  for (std::size_t j = 0; j < events.size(); ++j) {
    const Event& e = events[j];
    epochs.push_back(causality.on_event(e));
    if (class_of(e) == AccessClass::kNone) continue;
    for (std::size_t i = 0; i < j; ++i) {
      const Event& old = events[i];
      if (class_of(old) == AccessClass::kNone || old.thread == e.thread || !overlap(old, e)) continue;
      if (!conflict(class_of(old), class_of(e)) || causality.ordered(epochs[i])) continue;
      if (is_plain(old)) racing.insert(old.location);
      if (is_plain(e)) racing.insert(e.location);
    }
  }
  return racing;
}

bool within(const Set& part, const Set& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// Few locations: they meet often. One each: none hides another.
std::vector<Event> trace(std::uint64_t seed, bool one_each) {
  std::vector<Event> events = testing::random_trace(seed, 60);
  std::uint32_t at = 0;
  for (Event& e : events)
    e.location = one_each ? ++at : 1 + (++at * 7 + e.offset + static_cast<std::uint32_t>(e.kind)) % 40;
  return events;
}

TEST(Points, EachModeHasThoseOfTheOneBefore) {
  std::size_t more_than_pairs = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    const std::vector<Event> events = trace(seed, seed % 2 == 0);
    const Set racing = take_part_in_races(events);
    const Set racy = points_racy(events);
    const Set shared = points_shared(events);
    ASSERT_TRUE(within(racing, racy)) << "seed " << seed;
    ASSERT_TRUE(within(racy, shared)) << "seed " << seed;
    ASSERT_TRUE(within(shared, points_all(events))) << "seed " << seed;
    more_than_pairs += racing.size() > 2;
  }
  EXPECT_GT(more_than_pairs, 1000u);
}

// Accesses to the first object are on the bytes of the mutex.
std::vector<Event> trace_on_mutexes(std::uint64_t seed) {
  std::vector<Event> events = trace(seed, true);
  const auto mutex = std::find_if(events.begin(), events.end(), [](const Event& e) { return moves_mutex(e.kind, 0); });
  if (mutex == events.end()) return {};
  const ObjectId object = mutex->object;
  for (Event& e : events) {
    if ((e.kind == OpKind::kRead || e.kind == OpKind::kWrite) && e.object == 1) {
      e.object = object;
      e.offset %= 8;
    }
  }
  return events;
}

TEST(Points, WhoeverTouchesAMutexThatOthersLockIsOne) {
  std::size_t racing_traces = 0;
  std::size_t ordered_traces = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    const std::vector<Event> events = trace_on_mutexes(seed);
    const Set racing = take_part_in_races(events);
    const Set racy = points_racy(events);
    ASSERT_TRUE(within(racing, racy)) << "seed " << seed;
    ASSERT_TRUE(within(racy, points_shared(events))) << "seed " << seed;
    ASSERT_EQ(racing.empty(), racy.empty()) << "seed " << seed;
    racing_traces += !racing.empty();
    ordered_traces += racing.empty() && !events.empty();
  }
  EXPECT_GT(racing_traces, 1000u);
  EXPECT_GT(ordered_traces, 100u);
}

Event event(OpKind kind, ThreadIndex thread, LocationId location, std::uint32_t offset = 0) {
  Event e;
  e.kind = kind;
  e.thread = thread;
  e.location = location;
  e.object = 5;
  e.offset = offset;
  e.size = 4;
  return e;
}
std::vector<Event> two_threads() {
  std::vector<Event> events;
  for (ThreadIndex t : {1u, 2u}) {
    Event create = event(OpKind::kThreadCreate, 0, 0);
    create.object = 0;
    create.value = t;
    events.push_back(create);
  }
  return events;
}

TEST(Points, EveryLocationOfARacyCell) {
  std::vector<Event> events = two_threads();
  events.push_back(event(OpKind::kRead, 1, 10));
  events.push_back(event(OpKind::kRead, 1, 11));
  events.push_back(event(OpKind::kRead, 1, 12, 8));  // another cell
  events.push_back(event(OpKind::kWrite, 2, 20));
  EXPECT_EQ(points_racy(events), (Set{10, 11, 20}));
}

// Two spin locks in one cell of eight bytes: what is done to one says nothing of the other.
TEST(Points, LocksSideBySide) {
  for (const std::uint32_t read : {0u, 4u}) {
    std::vector<Event> events = two_threads();
    events.push_back(event(OpKind::kMutexLock, 1, 10, 0));
    events.push_back(event(OpKind::kMutexLock, 1, 11, 4));
    events.push_back(event(OpKind::kMutexUnlock, 1, 12, 4));
    events.push_back(event(OpKind::kRead, 2, 20, read));
    EXPECT_EQ(points_racy(events), (Set{20})) << "read at " << read;
    events.back().thread = 1;
    EXPECT_EQ(points_racy(events), Set{});
  }
}

TEST(Points, AFreeIsOneWhenAnotherThreadUsesTheBlock) {
  for (const OpKind use : {OpKind::kRead, OpKind::kAtomicLoad, OpKind::kMutexLock}) {
    const Set wanted = use == OpKind::kRead ? Set{10, 20} : Set{20};
    for (const bool free_first : {false, true}) {
      std::vector<Event> events = two_threads();
      events.push_back(event(use, 1, 10, 16));
      events.push_back(event(OpKind::kHeapFree, 2, 20));
      if (free_first) std::swap(events[2], events[3]);
      EXPECT_EQ(points_shared(events), wanted) << static_cast<int>(use) << free_first;
    }
  }
  std::vector<Event> events = two_threads();
  events.push_back(event(OpKind::kRead, 1, 10));
  events.push_back(event(OpKind::kHeapFree, 1, 20));
  EXPECT_EQ(points_shared(events), Set{});
}

}  // namespace
}  // namespace ravel
