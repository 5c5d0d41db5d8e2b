// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Why threads wait for ever or do not come to an end; locks that are kept where they should not be.
#include "detect/blocked.h"
#include "detect/livelock.h"
#include "support/detections.h"
#include "support/stuck.h"

namespace ravel {
namespace {

using testing::DetectorBench;
using testing::Stuck;
using Set = std::set<std::string>;

Set blocked(const Stuck& stuck) {
  static DetectorBench bench(detector_bit(DetectorId::kBlocked));
  return bench.run(stuck.trace, *stuck.result).lines;
}

const std::string kThreads = "main create A\nmain create B\n";

TEST(Blocked, OwnLock) {
  Stuck own(kThreads + "A lock m @ taken\n");
  own.waits("A", OpKind::kMutexLock, "m", "A", "taken");
  EXPECT_EQ(blocked(own), Set{"0: ? taken"});
  Stuck other(kThreads + "A lock m @ taken\n");
  other.waits("B", OpKind::kMutexLock, "m", "A", "taken");
  EXPECT_EQ(blocked(other), Set{});
}

TEST(Blocked, HolderEnded) {
  Stuck ended(kThreads + "A lock m @ taken\nA end\n");
  ended.waits("B", OpKind::kMutexLock, "m", "A", "taken");
  EXPECT_EQ(blocked(ended), Set{"1: ? taken"});
}

TEST(Blocked, CopyOfALockedMutex) {
  Stuck copied(kThreads + "A lock m @ taken\nA unlock m\nB lock n\nB unlock n\n");
  copied.waits("B", OpKind::kMutexLock, "n", "A", "taken");
  EXPECT_EQ(blocked(copied), Set{"2: ? taken"});
  // The holder did take this one, or nothing at that place.
  Stuck taken(kThreads + "A lock m @ taken\nA lock n @ taken\nA unlock n\n");
  taken.waits("B", OpKind::kMutexLock, "n", "A", "taken");
  EXPECT_EQ(blocked(taken), Set{});
  Stuck elsewhere(kThreads + "A lock m @ taken\nB lock n @ other\nB unlock n\n");
  elsewhere.waits("B", OpKind::kMutexLock, "n", "A", "other");
  EXPECT_EQ(blocked(elsewhere), Set{});
}

TEST(Blocked, NestedMonitors) {
  const std::string text = kThreads + "A lock outer @ outer\nA lock m\nA wait c releasing m\n";
  Stuck nested(text);
  nested.waits("A", OpKind::kCondReacquire, "c");
  nested.waits("B", OpKind::kMutexLock, "outer", "A", "outer");
  EXPECT_EQ(blocked(nested), Set{"3: ? outer ?"});
  Stuck two(kThreads + "A lock extra @ extra\nA lock outer @ outer\nA lock m\nA wait c releasing m\n");
  two.waits("A", OpKind::kCondReacquire, "c");
  two.waits("B", OpKind::kMutexLock, "outer", "A", "outer");
  EXPECT_EQ(blocked(two), Set{"3: ? outer ?"});
  Stuck another(text + "B lock other @ other\n");  // what B wants is not what A keeps
  another.waits("A", OpKind::kCondReacquire, "c");
  another.waits("B", OpKind::kMutexLock, "other", "B", "other");
  EXPECT_EQ(blocked(another), Set{"0: ? other"});
}

TEST(Blocked, NobodyIsLeftToSignal) {
  const std::string text = kThreads + "A lock m\nA wait c releasing m\nB end @ end\n";
  Stuck orphaned(text);
  orphaned.waits("A", OpKind::kCondReacquire, "c");
  orphaned.waits("main", OpKind::kThreadJoin, "m", "A");
  EXPECT_EQ(blocked(orphaned), Set{"4: ? end"});
  Stuck signalled("main signal c wakes none\n" + text);
  signalled.waits("A", OpKind::kCondReacquire, "c");
  EXPECT_EQ(blocked(signalled), Set{});
  Stuck alive(text);  // main may come to signal, once it gets its lock
  alive.waits("A", OpKind::kCondReacquire, "c");
  alive.waits("main", OpKind::kMutexLock, "m", "B");
  EXPECT_EQ(blocked(alive), Set{});
}

TEST(Blocked, ByAnException) {
  const std::string wait = "A lock m\nA wait c releasing m\n";
  Stuck thrown(kThreads + wait + "B throw type @ thrown\nB end @ end\n");
  thrown.waits("A", OpKind::kCondReacquire, "c");
  EXPECT_EQ(blocked(thrown), Set{"5: ? thrown"});
  // Of several, the one that came last; and only those of threads that have ended.
  Stuck both("main create C\n" + kThreads + wait +
             "B throw type @ first\nB throw type @ last\nC throw type @ alive\nB end @ end\n");
  both.waits("A", OpKind::kCondReacquire, "c");
  both.waits("C", OpKind::kThreadJoin, "m", "A");
  EXPECT_EQ(blocked(both), Set{"5: ? last"});
}

TEST(HeldAtExit, LocksOfAThreadThatEnds) {
  static DetectorBench bench(detector_bit(DetectorId::kHeldAtExit));
  EXPECT_EQ(bench.run(kThreads + "A lock m @ taken\nA end @ end\n").lines, Set{"0: taken end"});
  EXPECT_EQ(bench.run(kThreads + "A rdlock r @ taken\nA end @ end\n").lines, Set{"0: taken end"});
  EXPECT_EQ(bench.run(kThreads + "A lock m\nA unlock m\nA end\n").lines, Set{});
  EXPECT_EQ(bench.run(kThreads + "A trylock m failed\nA end\n").lines, Set{});
  EXPECT_EQ(bench.run(kThreads + "A lock m\nB end\nA unlock m\nA end\n").lines, Set{});
}

TEST(NestedWait, AnotherLockIsKept) {
  static DetectorBench bench(detector_bit(DetectorId::kNestedWait));
  EXPECT_EQ(bench.run(kThreads + "A lock m @ m\nA lock n\nA wait c releasing n @ wait\n").lines, Set{"0: wait m"});
  EXPECT_EQ(bench.run(kThreads + "A lock n\nA wait c releasing n @ wait\n").lines, Set{});
  EXPECT_EQ(bench.run(kThreads + "A lock m\nA unlock m\nA lock n\nA wait c releasing n @ wait\n").lines, Set{});
}

Set endless(Stuck& stuck) {
  static DetectorBench bench(detector_bit(DetectorId::kLivelock));
  return bench.run(stuck.trace, *stuck.result).lines;
}

std::string times(unsigned n, const std::string& text) {
  std::string out;
  for (unsigned i = 0; i < n; ++i) out += text;
  return out;
}

TEST(Livelock, TwoThreadsUndoEachOther) {
  const std::string round = "A load x 4\nA store x 4 @ up\nB load x 4\nB store x 4 @ down\n";
  Stuck live(kThreads + times(Livelock::kWindow, round), OutcomeKind::kStepLimit);
  EXPECT_EQ(endless(live), Set{"0: up down"});
  Stuck news(kThreads + times(Livelock::kWindow, round) + "A store y 4 @ news\n", OutcomeKind::kStepLimit);
  EXPECT_EQ(endless(news), Set{});
  Stuck apart(kThreads + times(Livelock::kWindow, "A load x 4\nA store x 4\nB load y 4\nB store y 4\n"),
              OutcomeKind::kStepLimit);
  EXPECT_EQ(endless(apart), Set{});
  Stuck one_way(kThreads + times(Livelock::kWindow, "A store x 4\nB load x 4\nB store y 4\n"), OutcomeKind::kStepLimit);
  EXPECT_EQ(endless(one_way), Set{});
  Stuck failed(kThreads + times(Livelock::kWindow, round), OutcomeKind::kAssertion);
  EXPECT_EQ(endless(failed), Set{});
}

TEST(Livelock, AThreadThatNeverGetsTheLock) {
  const std::string round = "A lock m @ again\nA unlock m\n";
  Stuck starved(kThreads + times(Livelock::kOvertaken, round), OutcomeKind::kStepLimit);
  starved.waits("B", OpKind::kMutexLock, "m", "A");
  EXPECT_EQ(endless(starved), Set{"1: ? again"});
  Stuck soon(kThreads + times(Livelock::kOvertaken - 1, round), OutcomeKind::kStepLimit);
  soon.waits("B", OpKind::kMutexLock, "m", "A");
  EXPECT_EQ(endless(soon), Set{});
}

TEST(DeadStack, TheOwnerHasEnded) {
  std::pmr::monotonic_buffer_resource memory;
  Causality causality(memory, CausalityOptions{});
  std::vector<DetectionRecord> table(kMaxDetections);
  Stuck text(kThreads + "B write local 4\nA end\nB write local 4 @ late\nB read other 4\n");
  text.trace.objects[text.trace.events[2].object].kind = ObjectKind::kStack;
  text.trace.objects[text.trace.events[2].object].owner = 1;
  ObjectRecord& heap = text.trace.objects[text.trace.events[5].object];  // made by the thread that ended
  heap.kind = ObjectKind::kHeap;
  heap.owner = 1;
  DetectorSet set(memory, causality, detector_bit(DetectorId::kDeadStack), table.data(), kMaxDetections, 256);
  set.begin({.objects = text.trace.objects});
  std::uint64_t sequence = 0;
  for (const Event& e : text.trace.events) set.on_event(e, Moment{sequence++, causality.on_event(e), 0});
  ASSERT_EQ(set.found(), 1u);
  EXPECT_EQ(testing::line_of(table[0], text.trace), "0: late ?");
}

}  // namespace
}  // namespace ravel
