// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each metric on traces written by hand: whole sets of tasks. The rules are those of docs/coverage.md; a rule that is
// changed turns one of these red.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cover/metric_table.h"
#include "model/text/trace_text.h"
#include "report/coverage_text.h"
#include "report/trace_coverage.h"

namespace ravel {
namespace {

using Lines = std::vector<std::string>;

Lines tasks(const std::string& metric, const std::string& text) {
  const auto trace = parse_trace(text);
  EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().text());
  std::string_view wrong;
  const auto bits = parse_metrics(metric, wrong);
  EXPECT_TRUE(bits.has_value()) << metric;
  if (!trace || !bits) return {};
  const TaskCoverage coverage = coverage_of(*trace, *bits);
  EXPECT_FALSE(coverage.truncated);
  EXPECT_EQ(coverage.runs.size(), 1u);
  for (const MetricRow& row : metric_table()) {
    if (row.name == metric) return task_lines(coverage, row.id);
  }
  return task_lines(coverage);
}

constexpr char kThreads[] = "main create T1 @ m:1\nmain create T2 @ m:2\nmain create T3 @ m:3\n";
std::string with_threads(const std::string& text) {
  return kThreads + text;
}

TEST(AvioMetric, TheLastForeignAccessCounts) {
  const std::string text =
      with_threads("T1 read x 4 @ a:1\nT2 write x 4 @ b:1\nT3 read x 4 @ c:1\nT1 write x 4 @ d:1\n");
  EXPECT_EQ(tasks("avio", text), (Lines{"a:1 d:1 c:1"}));
  EXPECT_EQ(tasks("avio*", text), (Lines{"a:1 d:1 c:1 x T1 T3"}));
}

TEST(AvioMetric, NothingBetweenOrAnotherVariableIsNoTask) {
  EXPECT_EQ(tasks("avio", with_threads("T1 read x 4 @ a:1\nT1 read x 4 @ a:2\nT2 read x 4 @ b:1\n")), Lines{});
  EXPECT_EQ(tasks("avio", with_threads("T1 read x 4 @ a:1\nT2 read y 4 @ b:1\nT1 read x 4 @ a:2\n")), Lines{});
  EXPECT_EQ(tasks("avio", with_threads("T1 read x 4 @ a:1\nT2 read x+4 4 @ b:1\nT1 read x 4 @ a:2\n")), Lines{});
}

TEST(AvioMetric, WhatCameBeforeBothIsNotBetween) {
  EXPECT_EQ(tasks("avio", with_threads("T2 write x 4 @ b:1\nT1 read x 4 @ a:1\nT1 read x 4 @ a:2\n")), Lines{});
}

TEST(AvioMetric, RepeatedAccessesMoveTheFirstPlace) {
  EXPECT_EQ(tasks("avio", with_threads("T1 read x 4 @ a:1\nT1 read x 4 @ a:2\nT2 read x 4 @ b:1\nT1 read x 4 @ a:3\n")),
            (Lines{"a:2 a:3 b:1"}));
}

TEST(AvioMetric, AtomicsAreNoVariables) {
  EXPECT_EQ(tasks("avio", with_threads("T1 load x 4 @ a:1\nT2 store x 4 @ b:1\nT1 load x 4 @ a:2\n")), Lines{});
}

TEST(AvioMetric, AnOwnStackCountsOnceOthersWereThere) {
  const std::string stack = "object s stack owner 0 ordinal 0 size 4096 base 0\n";
  EXPECT_EQ(tasks("avio", stack + with_threads("main read s+8 4 @ a:1\nT1 write s+8 4 @ b:1\nmain read s+8 4 @ a:2\n"
                                               "T1 write s+8 4 @ b:2\nmain read s+8 4 @ a:3\n")),
            (Lines{"a:2 a:3 b:2", "b:1 b:2 a:2"}));
}

TEST(AvioMetric, ARangeIsEachKnownVariableInIt) {
  EXPECT_EQ(tasks("avio*", with_threads("T1 write x+8 4 @ a:1\nT1 write x+16 4 @ a:2\nT2 write x 64 @ b:1\n"
                                        "T1 read x+16 4 @ a:3\nT1 read x 4 @ a:4\n")),
            (Lines{"a:2 a:3 b:1 x+16 T1 T2"}));
}

// One variable walks through all six states.
TEST(EraserMetric, SixStates) {
  const std::string text = with_threads(
      "T1 write x 4 @ a:1\n"                                    // virgin
      "T1 write x 4 @ a:2\n"                                    // exclusive
      "T2 lock m @ l:1\nT2 lock n @ l:2\nT2 write x 4 @ b:1\n"  // exclusive -> exclusive', {m,n}
      "T2 write x 4 @ b:2\nT2 unlock n\nT2 unlock m\n"          // exclusive', owner: the set stays
      "T3 lock m @ l:3\nT3 read x 4 @ c:1\nT3 unlock m\n"       // exclusive' -> shared, {m}
      "T1 lock m @ l:4\nT1 write x 4 @ a:3\nT1 unlock m\n"      // shared -> modified, {m}
      "T1 lock n @ l:5\nT1 read x 4 @ a:4\nT1 unlock n\n"       // modified -> race, {}
      "T2 read x 4 @ b:3\n");                                   // race
  EXPECT_EQ(tasks("eraser", text),
            (Lines{"a:1 virgin all", "a:2 exclusive all", "a:3 shared {m}", "a:4 modified {}", "b:1 exclusive {m,n}",
                   "b:2 exclusive' {m,n}", "b:3 race {}", "c:1 exclusive' {m}"}));
  EXPECT_EQ(tasks("eraser*", "main create T1\nT1 write x 4 @ a:1\n"), (Lines{"a:1 x virgin all T1"}));
}

TEST(EraserMetric, ReadLocksProtectReadsOnly) {
  const std::string text = with_threads("T1 write x 4 @ a:1\nT2 rdlock r @ l:1\nT2 write x 4 @ b:1\nT2 rwunlock r\n");
  EXPECT_EQ(tasks("eraser", text), (Lines{"a:1 virgin all", "b:1 exclusive {}"}));
}

TEST(GoodLockMetric, NestedLocksWithTheirPlaces) {
  const std::string text = with_threads(
      "T1 lock a @ p:1\nT1 lock b @ p:2\nT1 lock c @ p:3\nT1 unlock c\nT1 unlock b\nT1 unlock a\n"
      "T2 lock a @ q:1\nT2 unlock a\nT2 lock b @ q:2\nT2 unlock b\n");
  EXPECT_EQ(tasks("goodlock", text), (Lines{"p:1 p:2 a b", "p:1 p:3 a c", "p:2 p:3 b c"}));
  EXPECT_EQ(tasks("goodlock*", with_threads("T1 lock a @ p:1\nT1 trylock b @ p:2\n")), (Lines{"p:1 p:2 a b T1"}));
}

TEST(GoodLockMetric, NeitherFailedNorHeldLocksAreTaken) {
  EXPECT_EQ(tasks("goodlock", with_threads("T1 lock a @ p:1\nT1 trylock b failed @ p:2\nT1 lock a @ p:3\n")), Lines{});
}

TEST(GoodLockMetric, AWaitTakesItsMutexAgain) {
  const std::string text = with_threads(
      "T1 lock a @ p:1\nT1 lock m @ p:2\nT1 wait c releasing m @ p:3\nT2 signal c wakes T1 @ q:1\nT1 reacquire c "
      "releasing m @ p:3\n");
  EXPECT_EQ(tasks("goodlock", text), (Lines{"p:1 p:2 a m", "p:1 p:3 a m"}));
}

TEST(HbPairMetric, MutexCreateAndJoin) {
  const std::string text =
      "main create T1 @ m:1\nT1 lock a @ p:1\nT1 unlock a @ p:2\nT1 lock a @ p:3\nT1 unlock a @ p:4\n"
      "main lock a @ m:2\nmain unlock a @ m:3\nmain join T1 @ m:4\n";
  EXPECT_EQ(tasks("hbpair", text), (Lines{"T1 m:4 -", "m:1 T1 -", "p:4 m:2 a"}));
  EXPECT_EQ(tasks("hbpair*", text), (Lines{"T1 m:4 - T1 main", "m:1 T1 - main T1", "p:4 m:2 a T1 main"}));
}

// Without what kThreads adds.
Lines pairs(const std::string& text) {
  Lines out;
  for (const std::string& line : tasks("hbpair", with_threads(text))) {
    if (line.compare(0, 2, "m:") != 0) out.push_back(line);
  }
  return out;
}

TEST(HbPairMetric, EveryEarlierPost) {
  EXPECT_EQ(pairs("T1 sem-post s @ a:1\nT2 sem-post s @ b:1\nT3 sem-wait s @ c:1\n"),
            (Lines{"a:1 c:1 s", "b:1 c:1 s"}));
}

TEST(HbPairMetric, BarriersByRounds) {
  EXPECT_EQ(pairs("T1 arrive b = 1 @ a:1\nT2 arrive b = 0 @ b:1\nT1 leave b @ a:2\nT2 leave b @ b:2\n"),
            (Lines{"a:1 b:2 b", "b:1 a:2 b"}));
}

TEST(HbPairMetric, ReadersAndWriters) {
  EXPECT_EQ(pairs("T1 wrlock r @ a:1\nT1 rwunlock r @ a:2\nT2 rdlock r @ b:1\nT3 rdlock r @ c:1\nT2 rwunlock r @ b:2\n"
                  "T3 rwunlock r @ c:2\nT1 wrlock r @ a:3\n"),
            (Lines{"a:2 b:1 r", "a:2 c:1 r", "b:2 a:3 r", "c:2 a:3 r"}));
}

TEST(HbPairMetric, TheSignalThatWoke) {
  EXPECT_EQ(pairs("T1 lock m @ a:1\nT1 wait c releasing m @ a:2\nT2 lock m @ b:1\nT2 signal c wakes T1 @ b:2\n"
                  "T2 unlock m @ b:3\nT1 reacquire c releasing m @ a:2\n"),
            (Lines{"a:2 b:1 m", "b:2 a:2 c", "b:3 a:2 m"}));
  EXPECT_EQ(pairs("T1 lock m @ a:1\nT1 wait c releasing m @ a:2\nT1 reacquire c timeout releasing m @ a:2\n"), Lines{});
}

TEST(HbPairMetric, AtomicsByReleaseSequences) {
  EXPECT_EQ(pairs("T1 store x 4 release @ a:1\nT2 rmw x 4 relaxed @ b:1\nT3 load x 4 acquire @ c:1\n"),
            (Lines{"a:1 c:1 x"}));
  EXPECT_EQ(pairs("T1 store x 4 release @ a:1\nT2 store x 4 relaxed @ b:1\nT3 load x 4 acquire @ c:1\n"), Lines{});
  EXPECT_EQ(pairs("T1 store x 4 relaxed @ a:1\nT3 load x 4 acquire @ c:1\n"), Lines{});
  EXPECT_EQ(pairs("T1 store x 4 release @ a:1\nT3 load x 4 relaxed @ c:1\n"), Lines{});
}

TEST(HbPairMetric, OnceThatIsDone) {
  EXPECT_EQ(pairs("T1 once-begin o = 1 @ a:1\nT1 once-end o @ a:2\nT2 once-begin o = 0 @ b:1\n"), (Lines{"a:2 b:1 o"}));
  EXPECT_EQ(pairs("T1 once-begin o = 1 @ a:1\nT1 once-end o @ a:2\nT2 once-begin o = 1 @ b:1\n"), Lines{});
}

TEST(DuPairsMetric, OwnDefinitionsCountInitialValuesDoNot) {
  const std::string text =
      with_threads("T1 read x 4 @ a:1\nT1 write x 4 @ a:2\nT1 read x 4 @ a:3\nT2 read x 4 @ b:1\n");
  EXPECT_EQ(tasks("dupairs", text), (Lines{"a:2 a:3 x", "a:2 b:1 x"}));
  EXPECT_EQ(tasks("dupairs*", text), (Lines{"a:2 a:3 x T1 T1", "a:2 b:1 x T1 T2"}));
}

TEST(ReadsFromMetric, InitAndAtomics) {
  const std::string text = with_threads(
      "T1 read x 4 @ a:1\nT2 write x 4 @ b:1\nT1 read x 4 @ a:2\nT1 load y 4 @ a:3\nT2 cas y 4 failed @ b:2\nT2 store "
      "y 4 @ b:3\n"
      "T1 rmw y 4 @ a:4\nT3 load y 4 @ c:1\n");
  EXPECT_EQ(tasks("rf", text), (Lines{"a:4 c:1", "b:1 a:2", "b:3 a:4", "init a:1", "init a:3", "init b:2"}));
}

TEST(GoldiLockMetric, EachStep) {
  // Nobody else; a common lock; through the two threads' own events; through a third thread; a race.
  EXPECT_EQ(tasks("goldilock", "main create T1\nT1 write x 4 @ a:1\nT1 write x 4 @ a:2\n"),
            (Lines{"a:1 {T1}", "a:2 {T1}"}));
  EXPECT_EQ(
      tasks("goldilocksc",
            with_threads("T1 lock m @ l:1\nT1 write x 4 @ a:1\nT1 unlock m\nT2 lock m @ l:2\nT2 write x 4 @ b:1\n")),
      (Lines{"a:1 SCT", "b:1 SCL"}));
  EXPECT_EQ(
      tasks("goldilock",
            with_threads("T1 lock m @ l:1\nT1 write x 4 @ a:1\nT1 unlock m\nT2 lock m @ l:2\nT2 write x 4 @ b:1\n")),
      (Lines{"a:1 {T1}", "b:1 {m}"}));
  EXPECT_EQ(
      tasks("goldilock",
            with_threads(
                "T1 write x 4 @ a:1\nT1 store f 4 release @ a:2\nT2 load f 4 acquire @ b:1\nT2 write x 4 @ b:2\n")),
      (Lines{"a:1 {T1}", "b:2 {f}"}));
  EXPECT_EQ(
      tasks(
          "goldilock",
          with_threads(
              "T1 write x 4 @ a:1\nT1 sem-post s\nT2 sem-wait s\nT2 sem-post r\nT3 sem-wait r\nT3 write x 4 @ c:1\n")),
      (Lines{"a:1 {T1}", "c:1 {T1,T2,T3,r,s}"}));
  EXPECT_EQ(tasks("goldilocksc", with_threads("T1 write x 4 @ a:1\nT2 write x 4 @ b:1\n")),
            (Lines{"a:1 SCT", "b:1 E"}));
  EXPECT_EQ(tasks("goldilock*", with_threads("T1 write x 4 @ a:1\nT2 write x 4 @ b:1\n")),
            (Lines{"a:1 x {T1} T1", "b:1 x {T1} T2"}));
}

TEST(GoldiLockMetric, WhatWasCheckedIsNotCheckedAgain) {
  // T2's second read needs no look at T1's write: the first one had it.
  EXPECT_EQ(tasks("goldilocksc", with_threads("T1 write x 4 @ a:1\nT2 read x 4 @ b:1\nT2 read x 4 @ b:2\n")),
            (Lines{"a:1 SCT", "b:1 E", "b:2 SCT"}));
}

TEST(GoldiLockMetric, AWriteIsCheckedAgainstReads) {
  EXPECT_EQ(tasks("goldilocksc", with_threads("T1 read x 4 @ a:1\nT2 write x 4 @ b:1\n")), (Lines{"a:1 SCT", "b:1 E"}));
}

TEST(GoldiLockMetric, TwoReadLocksDoNotProtect) {
  EXPECT_EQ(tasks("goldilocksc", with_threads("T1 rdlock r\nT1 write x 4 @ a:1\nT2 rdlock r\nT2 write x 4 @ b:1\n")),
            (Lines{"a:1 SCT", "b:1 E"}));
}

TEST(GoldiLockMetric, TheWorstOfSeveralCounts) {
  // T3 writes after a read under the same lock and one under none: the race, whichever is looked at last.
  const std::string locked = "T2 lock m @ l:1\nT2 read x 4 @ b:1\nT2 unlock m\n";
  const std::string bare = "T1 read x 4 @ a:1\n";
  const std::string last = "T3 lock m @ l:2\nT3 write x 4 @ c:1\n";
  const Lines wanted{"a:1 SCT", "b:1 SCT", "c:1 E"};
  EXPECT_EQ(tasks("goldilocksc", with_threads(locked + bare + last)), wanted);
  EXPECT_EQ(tasks("goldilocksc", with_threads(bare + locked + last)), wanted);
}

TEST(GoldiLockMetric, OfEqualsTheLatestCounts) {
  // T3 holds both locks: of T1's write and T2's read, the read is the later one.
  const std::string text = with_threads(
      "T1 lock m @ l:1\nT1 write x 4 @ a:1\nT1 unlock m\nT2 lock n @ l:2\nT2 read x 4 @ b:1\nT2 unlock n\n"
      "T3 lock m @ l:3\nT3 lock n @ l:4\nT3 write x 4 @ c:1\n");
  const Lines found = tasks("goldilock", text);
  EXPECT_EQ(found.back(), "c:1 {n}");
}

TEST(ConcurPairsMetric, ConsecutiveEventsAndSwitches) {
  const std::string text =
      "main write x 4 @ a:1\nmain write x 4 @ a:2\nmain create T1 @ a:3\nT1 start\nT1 write x 4 @ b:1\n";
  EXPECT_EQ(tasks("concurpairs", text), (Lines{"a:1 a:2 false", "a:2 a:3 false", "a:3 b:1 true"}));
}

TEST(SyncMetric, Modes) {
  EXPECT_EQ(tasks("sync", with_threads("T1 lock m @ a:1\nT1 unlock m @ a:2\n")), (Lines{"a:1 visited"}));
  EXPECT_EQ(tasks("sync", with_threads("T1 lock m @ a:1\nT1 unlock m @ a:2\nT2 lock m waited @ b:1\n")),
            (Lines{"a:1 blocking", "a:1 visited", "b:1 blocked", "b:1 visited"}));
  EXPECT_EQ(tasks("sync", with_threads("T1 trylock m failed @ a:1\n")), (Lines{"a:1 failed", "a:1 visited"}));
  EXPECT_EQ(
      tasks("sync",
            with_threads("T1 lock m @ a:1\nT1 wait c releasing m @ a:2\nT2 signal c @ b:1\nT2 broadcast c = 1 @ b:2\n"
                         "T1 reacquire c spurious releasing m @ a:2\n")),
      (Lines{"a:1 visited", "a:2 spurious", "b:1 unheard", "b:2 heard"}));
  EXPECT_EQ(tasks("sync", with_threads("T1 broadcast c = 0 @ a:1\n")), (Lines{"a:1 unheard"}));
  EXPECT_EQ(tasks("sync", with_threads("T1 arrive b = 1 @ a:1\nT2 arrive b = 0 @ b:1\n")),
            (Lines{"a:1 blocked", "b:1 last"}));
  EXPECT_EQ(tasks("sync", with_threads("T1 once-begin o = 1 @ a:1\nT2 once-begin o waited = 0 @ b:1\n")),
            (Lines{"a:1 ran", "b:1 blocked", "b:1 found"}));
  EXPECT_EQ(tasks("sync", "main create T1 @ a:1\nmain join T1 waited @ a:2\n"), (Lines{"a:2 blocked", "a:2 visited"}));
}

TEST(DrivingMetric, BothSituations) {
  const std::string text =
      with_threads("T1 lock m @ a:1\nT1 write x 4 @ a:2\nT1 unlock m @ a:3\nT2 lock m @ b:1\nT2 read x 4 @ b:2\n");
  EXPECT_EQ(tasks("driving", text), (Lines{"T1 a:1 T2 b:1", "T1 a:1 T2 b:2", "T1 a:2 T2 b:2"}));
  EXPECT_EQ(tasks("driving", with_threads("T1 write x 4 @ a:1\nT1 read x 4 @ a:2\n")), Lines{});
}

TEST(ConflictMetric, MemoryWithAWriteAndNoLockAroundBoth) {
  EXPECT_EQ(tasks("conflict", with_threads("T1 write x 4 @ a:1\nT2 read x 4 @ b:1\nT2 write x 4 @ b:2\n")),
            (Lines{"a:1 b:1 RW", "a:1 b:2 RW"}));
  EXPECT_EQ(tasks("conflict", with_threads("T1 read x 4 @ a:1\nT2 read x 4 @ b:1\n")), Lines{});
  EXPECT_EQ(tasks("conflict", with_threads("T1 write x 4 @ a:1\nT2 write y 4 @ b:1\n")), Lines{});
  EXPECT_EQ(tasks("conflict", with_threads("T1 lock m @ a:1\nT1 write x 4 @ a:2\nT1 unlock m @ a:3\n"
                                           "T2 lock m @ b:1\nT2 write x 4 @ b:2\nT2 unlock m @ b:3\n")),
            (Lines{"a:1 b:1 MM"}));
  EXPECT_EQ(tasks("conflict", with_threads("T1 lock m @ a:1\nT1 write x 4 @ a:2\nT1 unlock m @ a:3\n"
                                           "T2 lock n @ b:1\nT2 write x 4 @ b:2\nT2 unlock n @ b:3\n")),
            (Lines{"a:2 b:2 RW"}));
}

// Creations and joins order, whatever came in between.
TEST(ConflictMetric, CreationsAndJoinsOrder) {
  EXPECT_EQ(tasks("conflict",
                  "main write x 4 @ m:1\nmain create T1\nT1 write x 4 @ a:1\nmain join T1\nmain read x 4 @ m:2\n"),
            Lines{});
  EXPECT_EQ(tasks("conflict", "main create T1\nmain write x 4 @ m:1\nT1 write x 4 @ a:1\nmain join T1\n"),
            (Lines{"m:1 a:1 RW"}));
  // Over a thread in between.
  EXPECT_EQ(tasks("conflict",
                  "main create T1\nT1 write x 4 @ a:1\nT1 create T2\nT2 read x 4 @ b:1\nT1 join T2\nmain join T1\n"
                  "main create T3\nT3 write x 4 @ c:1\n"),
            Lines{});
}

// A thread that a timer starts is main's child in a trace: it comes behind what armed the timer, not behind other
// threads.
TEST(ConflictMetric, TimersOrderWhatArmedThem) {
  const std::string before =
      with_threads("T1 write x 4 @ a:1\nT2 write y 4 @ b:1\nT1 kill s @ a:2\nT1 write z 4 @ a:3\n");
  const std::string thread = "main create T3\nT3 handle s\n";
  EXPECT_EQ(tasks("conflict", before + thread + "T3 write x 4 @ c:1\n"), Lines{});
  EXPECT_EQ(tasks("conflict", before + thread + "T3 write y 4 @ c:1\n"), (Lines{"b:1 c:1 RW"}));
  EXPECT_EQ(tasks("conflict", before + thread + "T3 write z 4 @ c:1\n"), (Lines{"a:3 c:1 RW"}));
}

// Words that stand for what the C library and the kernel keep.
TEST(ConflictMetric, FilesAreNoMemory) {
  const std::string events = with_threads("T1 rmw o 8 relaxed @ a:1\nT2 load o 8 relaxed @ b:1\n");
  EXPECT_EQ(tasks("conflict", "object o other ordinal 1\n" + events), (Lines{"a:1 b:1 RW"}));
  EXPECT_EQ(tasks("conflict", "object o other owner 1 ordinal 1\n" + events), Lines{});
}

TEST(ConflictMetric, SharedLocksExcludeWriters) {
  EXPECT_EQ(tasks("conflict",
                  with_threads("T1 rdlock m @ a:1\nT1 rwunlock m @ a:2\nT2 rdlock m @ b:1\nT2 rwunlock m @ b:2\n")),
            Lines{});
  EXPECT_EQ(tasks("conflict", with_threads("T1 rdlock m @ a:1\nT1 write x 4 @ a:2\nT1 rwunlock m @ a:3\n"
                                           "T2 rdlock m @ b:1\nT2 write x 4 @ b:2\nT2 rwunlock m @ b:3\n")),
            (Lines{"a:2 b:2 RW"}));
  EXPECT_EQ(tasks("conflict",
                  with_threads("T1 rdlock m @ a:1\nT1 rwunlock m @ a:2\nT2 wrlock m @ b:1\nT2 rwunlock m @ b:2\n")),
            (Lines{"a:1 b:1 MM"}));
}

TEST(InterruptMetric, PlacesStandForFunctionsInTraces) {
  const std::string text = with_threads("T1 read x 4 @ a:1\nT1 read x 4 @ a:2\nT2 read x 4 @ b:1\nT1 read x 4 @ a:2\n");
  Lines found;
  for (const std::string& line : tasks("interrupt", text)) {
    if (line.compare(0, 2, "m:") != 0) found.push_back(line);
  }
  EXPECT_EQ(found, (Lines{"a:1 no", "a:2 other"}));
}

// Neither the making of objects nor the beginning of threads is a place.
TEST(PlaceMetric, WhatIsNoPlace) {
  const std::string text =
      "main mutex-init m @ a:1\nmain lock m @ a:2\nmain unlock m @ a:3\nmain mutex-destroy m @ a:4\n";
  EXPECT_EQ(tasks("place", text), (Lines{"a:2", "a:3"}));
  EXPECT_EQ(tasks("concurpairs", text), (Lines{"a:2 a:3 false"}));
}

TEST(PlaceMetric, ExecutedPlaces) {
  EXPECT_EQ(tasks("place", "main create T1 @ a:1\nT1 write x 4 @ b:1\nT1 write x 4 @ b:1\nmain join T1 @ a:2\n"),
            (Lines{"a:1", "a:2", "b:1"}));
}

TEST(Metrics, AreTwentyAndKnowTheirDefault) {
  EXPECT_EQ(metric_table().size(), 20u);
  std::string_view wrong;
  EXPECT_EQ(*parse_metrics("avio*,hbpair*,goldilock,rf,sync", wrong), default_metrics());
  EXPECT_EQ(*parse_metrics("all", wrong), kAllMetrics);
  EXPECT_FALSE(parse_metrics("sync,avoi", wrong).has_value());
  EXPECT_EQ(wrong, "avoi");
  for (std::size_t i = 0; i < metric_table().size(); ++i) EXPECT_EQ(metric_table()[i].id, static_cast<MetricId>(i));
}

}  // namespace
}  // namespace ravel
