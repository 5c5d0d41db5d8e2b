// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Value schedules against the toy machine: over all interleavings of a program, equal hashes iff equal Foata normal
// forms. The counts of the literature, and names that last.
#include <gtest/gtest.h>

#include <map>
#include <memory_resource>
#include <set>
#include <string>
#include <vector>

#include "causality/value_schedule.h"
#include "support/model_program.h"
#include "support/random_program.h"

namespace ravel {
namespace {

using toy::load;
using toy::lock;
using toy::on;
using toy::store;
using toy::unlock;

Event event_of(const OperationView& op) {
  Event e;
  e.kind = op.kind;
  e.bits = op.bits;
  e.size = op.size;
  e.thread = op.thread;
  e.object = static_cast<std::uint32_t>(op.place >> 32);
  e.offset = static_cast<std::uint32_t>(op.place);
  e.value = op.value;
  return e;
}

ValueScheduleLimits small() {
  return {1u << 10, 1u << 12, 1u << 8};
}

// Every interleaving, up to a number of them: its normal form and its hash.
class AllOrders {
 public:
  AllOrders(const toy::Program& program, std::size_t most) : program_(program), most_(most) {
    explore(toy::initial_state(program), {}, {});
  }
  std::size_t interleavings = 0;
  std::map<std::string, std::uint64_t> hash_of;
  std::set<std::uint64_t> hashes;
  bool split = false;  // one class, two hashes

 private:
  void explore(const toy::State& state, const toy::CanonicalTrace& trace, std::vector<Event> events) {
    if (interleavings >= most_) return;
    const std::vector<toy::Transition> ways = toy::enabled(program_, state);
    if (ways.empty()) {
      ++interleavings;
      schedule_.begin(TraceView{});
      for (const Event& e : events) schedule_.add(e, 0);
      EXPECT_FALSE(schedule_.truncated());
      const auto [known, fresh] = hash_of.emplace(trace.key(), schedule_.hash());
      split |= known->second != schedule_.hash();
      hashes.insert(schedule_.hash());
      return;
    }
    for (const toy::Transition& way : ways) {
      toy::State next = state;
      toy::CanonicalTrace longer = trace;
      const OperationView op = toy::execute(program_, next, way);
      longer.add(op);
      events.push_back(event_of(op));
      explore(next, longer, events);
      events.pop_back();
    }
  }

  const toy::Program& program_;
  std::size_t most_;
  ValueSchedule schedule_{*std::pmr::new_delete_resource(), small()};
};

std::size_t schedules(const std::vector<std::vector<toy::Step>>& threads) {
  const toy::Program program{threads, {}, {}};
  const AllOrders all(program, 100'000);
  EXPECT_FALSE(all.split);
  EXPECT_EQ(all.hashes.size(), all.hash_of.size());
  return all.hashes.size();
}

TEST(ValueSchedule, HashNamesTheTrace) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    const AllOrders all(program, 2000);
    ASSERT_FALSE(all.split) << "one trace, two hashes: seed " << seed;
    ASSERT_EQ(all.hashes.size(), all.hash_of.size()) << "two traces, one hash: seed " << seed;
    several += all.hashes.size() > 1 && all.interleavings > all.hashes.size();
  }
  EXPECT_GT(several, 200u);
}

TEST(ValueSchedule, CountsOfTheLiterature) {
  std::vector<std::vector<toy::Step>> writers;
  std::vector<std::vector<toy::Step>> readers = {{store(0, 1)}};
  const std::size_t orders[] = {1, 2, 6, 24};
  for (std::size_t n = 1; n <= 4; ++n) {
    writers.push_back({store(0, static_cast<std::uint32_t>(n))});
    readers.push_back({load(0)});
    EXPECT_EQ(schedules(writers), orders[n - 1]);  // n!
    EXPECT_EQ(schedules(readers), std::size_t{1} << n);
  }
  const std::vector<toy::Step> a = {lock(0), lock(1), unlock(1), unlock(0)};
  const std::vector<toy::Step> b = {lock(1), lock(0), unlock(0), unlock(1)};
  EXPECT_EQ(schedules({a, b}), 3u);  // one of them a deadlock
  EXPECT_EQ(schedules({{store(0, 1), store(0, 1)}, {load(0), load(0)}}), 6u);
  const std::vector<toy::Step> twice = {load(0), store(0, 1), load(0), store(0, 1)};
  EXPECT_EQ(schedules({twice, {load(0), store(0, 1)}}), 9u);
  EXPECT_EQ(schedules({twice, twice}), 34u);
  EXPECT_EQ(schedules({{lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)},
                       {lock(0), on(OpKind::kCondBroadcast, 0), unlock(0)}}),
            2u);  // the lost notification
}

// Two bytes written apart, and both at once.
TEST(ValueSchedule, BytesOverlap) {
  toy::Step both = store(0, 7);
  both.size = 2;
  EXPECT_EQ(schedules({{store(0, 1)}, {store(1, 1)}}), 1u);
  EXPECT_EQ(schedules({{both}, {store(1, 1)}}), 2u);
  EXPECT_EQ(schedules({{both}, {load(0)}, {load(1)}}), 4u);
  both.at = 7;  // over the border of two cells
  EXPECT_EQ(schedules({{both}, {store(7, 1)}, {store(8, 1)}}), 4u);
}

Event access(ThreadIndex thread, OpKind kind, ObjectId object, std::uint64_t value = 0) {
  Event e;
  e.thread = thread;
  e.kind = kind;
  e.size = kind == OpKind::kHeapFree ? 0 : 4;
  e.object = object;
  e.value = value;
  return e;
}

std::uint64_t hash_of(const TraceView& trace, const std::vector<Event>& events, std::uint64_t operand = 0) {
  ValueSchedule schedule(*std::pmr::new_delete_resource(), small());
  schedule.begin(trace);
  for (const Event& e : events) schedule.add(e, operand);
  EXPECT_FALSE(schedule.truncated());
  return schedule.hash();
}

TEST(ValueSchedule, NamesOutliveNumbers) {
  // The threads and blocks of one program, numbered in two executions.
  const ThreadRecord main{kNoThread, 0, 0, 0, 0, {}};
  const ThreadRecord first{0, 1, 0, 0, 0, {}};
  const ThreadRecord second{0, 2, 0, 0, 0, {}};
  const auto block = [](ThreadIndex owner) { return ObjectRecord{ObjectKind::kHeap, {}, owner, 1, 0, 0, 8, 0}; };
  const std::vector<ThreadRecord> threads = {main, first, second};
  const std::vector<ThreadRecord> swapped = {main, second, first};
  const std::vector<ObjectRecord> objects = {{}, block(1), block(2)};
  const std::vector<ObjectRecord> turned = {{}, block(1), block(2)};  // of thread 1, now the second one
  const TraceView one{.threads = threads, .objects = objects};
  const TraceView other{.threads = swapped, .objects = turned};
  const std::uint64_t expected = hash_of(one, {access(1, OpKind::kWrite, 1), access(2, OpKind::kRead, 1)});
  EXPECT_EQ(expected, hash_of(other, {access(2, OpKind::kWrite, 2), access(1, OpKind::kRead, 2)}));
  EXPECT_NE(expected, hash_of(other, {access(1, OpKind::kWrite, 1), access(2, OpKind::kRead, 1)}));
}

TEST(ValueSchedule, PrivateAccessesAndOtherPointsAddNothing) {
  const std::vector<Event> shared = {access(1, OpKind::kWrite, 1), access(2, OpKind::kRead, 1)};
  std::vector<Event> more = shared;
  more.insert(more.begin(), access(1, OpKind::kWrite, 2));
  more.push_back(access(2, OpKind::kMutexLock, 3));
  EXPECT_EQ(hash_of({}, shared), hash_of({}, more));
  more.push_back(access(1, OpKind::kWrite, 1));
  EXPECT_NE(hash_of({}, shared), hash_of({}, more));
  EXPECT_EQ(hash_of({}, more, kNoPoint), hash_of({}, {}));
}

TEST(ValueSchedule, FreeConflictsWithItsBlock) {
  const Event free = access(1, OpKind::kHeapFree, 1, 8);
  const Event read = access(2, OpKind::kRead, 1);
  const Event taken = access(2, OpKind::kMutexLock, 1);
  EXPECT_NE(hash_of({}, {free, read}), hash_of({}, {read, free}));
  EXPECT_NE(hash_of({}, {free, taken}), hash_of({}, {taken, free}));
  const Event elsewhere = access(2, OpKind::kRead, 2);
  EXPECT_EQ(hash_of({}, {free, elsewhere}), hash_of({}, {elsewhere, free}));
}

TEST(ValueSchedule, ChoicesAreApart) {
  const std::vector<Event> zero = {access(1, OpKind::kChoice, 0, 0)};
  const std::vector<Event> one = {access(1, OpKind::kChoice, 0, 1)};
  EXPECT_NE(hash_of({}, zero), hash_of({}, one));
}

TEST(ValueSchedule, SaysWhenItIsFull) {
  ValueSchedule schedule(*std::pmr::new_delete_resource(), {4, 4, 8});
  schedule.begin(TraceView{});
  for (ObjectId i = 1; i < 6; ++i) schedule.add(access(1, OpKind::kWrite, i), 0);
  EXPECT_TRUE(schedule.truncated());
  schedule.begin(TraceView{});
  EXPECT_FALSE(schedule.truncated());
}

}  // namespace
}  // namespace ravel
