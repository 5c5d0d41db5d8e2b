// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What observers see: a counting one under each shortcut. With the `wants` of a shortcut it must see everything that
// the naive count has; without it, less: else the shortcut is not taken, or an observer that forgets its `wants` would
// not be noticed.
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <memory>
#include <vector>

#include "base/arena.h"
#include "engine/analysis.h"
#include "support/fake_executor.h"
#include "wire/shared_block.h"

namespace ravel {
namespace {

class Counting final : public Observer {
 public:
  explicit Counting(Wants wants) : wants_(wants) {}
  [[nodiscard]] Wants wants() const override { return wants_; }
  void begin(const TraceView& trace) override {
    ++begun;
    in_order = in_order && trace.result != nullptr;
    next_ = 0;
  }
  void on_event(const Event& e, const Moment& at) override {
    ++events;
    in_order = in_order && at.sequence >= next_ && e.kind < OpKind::kCount;
    next_ = at.sequence + 1;
    plain += op_class(e.kind) == OpClass::kPlain;
  }
  void finish(const TraceView& trace) override { finished += trace.result->outcome == OutcomeKind::kCompleted; }

  std::uint64_t begun = 0;
  std::uint64_t finished = 0;
  std::uint64_t events = 0;
  std::uint64_t plain = 0;
  bool in_order = true;

 private:
  Wants wants_;
  std::uint64_t next_ = 0;
};

class Nowhere final : public LocationSink {
  void on_location(LocationId) override {}
};

// Two threads that write memory of their own, and one lock each: all accesses are quiet.
std::vector<Event> quiet_trace() {
  std::vector<Event> events;
  const auto add = [&](OpKind kind, ThreadIndex thread, ObjectId object, std::uint64_t value) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.object = object;
    e.size = 4;
    e.location = 100 + object;
    e.value = value;
    events.push_back(e);
  };
  for (ThreadIndex t : {1u, 2u}) add(OpKind::kThreadCreate, 0, 0, t);
  for (ThreadIndex t : {1u, 2u}) {
    for (int i = 0; i < 3; ++i) add(OpKind::kWrite, t, t.number(), 1);
    add(OpKind::kMutexLock, t, 9, 0);
    add(OpKind::kMutexUnlock, t, 9, 0);
    add(OpKind::kThreadEnd, t, 0, 0);
  }
  for (ThreadIndex t : {1u, 2u}) add(OpKind::kThreadJoin, 0, 0, t);
  return events;
}

class Observers : public ::testing::Test {
 protected:
  // `runs` executions of the trace, seen by one observer.
  void run(Counting& observer, PointsMode mode, int runs, bool skip_known) {
    testing::Block block;
    block->campaign.detectors = 1;
    for (std::uint64_t i = 0; i < trace_.size(); ++i) {
      const bool point = op_class(trace_[i].kind) != OpClass::kPlain;
      block->operands[i] = point ? 0 : kNoPoint;
    }
    Nowhere nowhere;
    Analysis analysis(*Arena::create(block->arena, kArenaBytes), *block, nowhere, mode);
    analysis.add_observer(observer);
    analysis.skip_known_traces(skip_known);
    for (int i = 0; i < runs; ++i) {
      analysis.begin(Analysis::Depth::kAll, -1);
      block->result.events.store(trace_.size());
      block->result.outcome = OutcomeKind::kCompleted;
      analysis.consume(trace_, 0);
      analysis.finish();
    }
  }

  std::vector<Event> trace_ = quiet_trace();
  std::uint64_t plain_ = 6;
};

TEST_F(Observers, SeeEveryEventOnceInOrder) {
  Counting all(kWantsClasses | kWantsQuiet | kWantsKnown);
  run(all, PointsMode::kShared, 5, true);
  EXPECT_EQ(all.begun, 5u);
  EXPECT_EQ(all.finished, 5u);
  EXPECT_EQ(all.events, 5 * trace_.size());
  EXPECT_EQ(all.plain, 5 * plain_);
  EXPECT_TRUE(all.in_order);
}

TEST_F(Observers, SeeTheClassesTheyWant) {
  Counting locks(wanted(OpClass::kSync) | kWantsKnown);
  run(locks, PointsMode::kRacy, 2, true);
  EXPECT_EQ(locks.events, 2 * 4u);
  EXPECT_EQ(locks.plain, 0u);
}

// Who forgets kWantsKnown misses traces that were seen before.
TEST_F(Observers, KnownTracesAreForThoseWhoWantThem) {
  Counting forgets(kWantsClasses | kWantsQuiet);
  run(forgets, PointsMode::kRacy, 5, true);
  EXPECT_EQ(forgets.events, trace_.size());
  EXPECT_EQ(forgets.finished, 1u);
  Counting naive(kWantsClasses | kWantsQuiet);
  run(naive, PointsMode::kRacy, 5, false);
  EXPECT_EQ(naive.events, 5 * trace_.size());
}

// Who forgets kWantsQuiet misses accesses that cannot race, once they are known to be such, and nothing else.
TEST_F(Observers, QuietAccessesAreForThoseWhoWantThem) {
  Counting forgets(kWantsClasses | kWantsKnown);
  run(forgets, PointsMode::kShared, 5, true);
  EXPECT_LT(forgets.plain, 5 * plain_);
  EXPECT_GE(forgets.plain, plain_);
  EXPECT_EQ(forgets.events - forgets.plain, 5 * (trace_.size() - plain_));
  EXPECT_TRUE(forgets.in_order);
}

TEST_F(Observers, FilteredAccessesAreAskedForInThePlan) {
  for (const bool wants : {false, true}) {
    testing::Block block;
    Nowhere nowhere;
    Analysis analysis(*Arena::create(block->arena, kArenaBytes), *block, nowhere, PointsMode::kRacy);
    Counting observer(kWantsClasses | (wants ? kWantsFiltered : 0));
    analysis.add_observer(observer);
    EXPECT_EQ(analysis.wants_filtered(), wants);
  }
}

TEST_F(Observers, WhoWantsNothingIsABug) {
  ObserverList<1> list;
  Counting nothing(0);
  EXPECT_DEATH(list.add(nothing), "wants some events");
}

}  // namespace
}  // namespace ravel
