// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Goodlock: circles of locks, and the four reasons why a circle is none.
#include "detect/lock_order.h"

#include "support/detections.h"

namespace ravel {
namespace {

using testing::Detected;
using testing::DetectorBench;
using Set = std::set<std::string>;

Detected run(const std::string& text) {
  static DetectorBench bench(detector_bit(DetectorId::kLockOrder));
  return bench.run(text);
}

const std::string kTwo = "main create A\nmain create B\n";

// `thread` takes the locks in this order and gives them back.
std::string nest(const std::string& thread, const std::vector<std::string>& locks) {
  std::string text;
  for (const std::string& lock : locks) text += thread + " lock " + lock + " @ " + thread + "." + lock + "\n";
  for (auto lock = locks.rbegin(); lock != locks.rend(); ++lock) text += thread + " unlock " + *lock + "\n";
  return text;
}

TEST(LockOrder, TwoLocksInOppositeOrder) {
  EXPECT_EQ(run(kTwo + nest("A", {"m", "n"}) + nest("B", {"n", "m"})).lines, Set{"0: A.n B.m"});
  EXPECT_EQ(run(kTwo + nest("A", {"m", "n"}) + nest("B", {"m", "n"})).lines, Set{});
  EXPECT_EQ(run(kTwo + nest("A", {"m"}) + nest("A", {"n"}) + nest("B", {"n", "m"})).lines, Set{});
}

TEST(LockOrder, OneThreadAloneCannot) {
  EXPECT_EQ(run(kTwo + nest("A", {"m", "n"}) + nest("A", {"n", "m"})).lines, Set{});
}

TEST(LockOrder, AGateLockKeepsThemApart) {
  EXPECT_EQ(run(kTwo + nest("A", {"g", "m", "n"}) + nest("B", {"g", "n", "m"})).lines, Set{});
  EXPECT_EQ(run(kTwo + nest("A", {"g", "m", "n"}) + nest("B", {"h", "n", "m"})).lines, Set{"0: A.n B.m"});
}

TEST(LockOrder, SegmentsOfThreads) {
  // Main's nesting is over before B exists, or begins after B was joined.
  EXPECT_EQ(run(nest("main", {"m", "n"}) + "main create B\n" + nest("B", {"n", "m"})).lines, Set{});
  EXPECT_EQ(run("main create B\n" + nest("B", {"n", "m"}) + "B end\nmain join B\n" + nest("main", {"m", "n"})).lines,
            Set{});
  EXPECT_EQ(run("main create B\n" + nest("main", {"m", "n"}) + nest("B", {"n", "m"})).lines, Set{"0: main.n B.m"});
  // Both before and after: the second time counts.
  EXPECT_EQ(run(nest("main", {"m", "n"}) + "main create B\n" + nest("main", {"m", "n"}) + nest("B", {"n", "m"})).lines,
            Set{"0: main.n B.m"});
}

TEST(LockOrder, SixPhilosophers) {
  std::string text;
  for (int i = 0; i < 6; ++i) text += "main create P" + std::to_string(i) + "\n";
  for (int i = 0; i < 6; ++i) {
    text += nest("P" + std::to_string(i), {"f" + std::to_string(i), "f" + std::to_string((i + 1) % 6)});
  }
  const Detected found = run(text);
  ASSERT_EQ(found.records.size(), 1u);
  EXPECT_EQ(found.records[0].roles, 6);
  EXPECT_EQ(found.records[0].kind, OutcomeKind::kPotentialDeadlock);
  EXPECT_FALSE(found.truncated);
}

TEST(LockOrder, ReadersDoNotBlockEachOther) {
  const auto read = [](const std::string& thread, const std::string& outer, const std::string& inner, const char* how) {
    return thread + " " + how + " " + outer + "\n" + thread + " " + how + " " + inner + " @ " + thread + "\n" + thread +
           " rwunlock " + inner + "\n" + thread + " rwunlock " + outer + "\n";
  };
  EXPECT_EQ(run(kTwo + read("A", "r", "s", "rdlock") + read("B", "s", "r", "rdlock")).lines, Set{});
  EXPECT_EQ(run(kTwo + read("A", "r", "s", "wrlock") + read("B", "s", "r", "rdlock")).lines, Set{"0: A B"});
}

TEST(LockOrder, ATryDoesNotWait) {
  EXPECT_EQ(run(kTwo + nest("A", {"m", "n"}) + "B lock n\nB trylock m\nB unlock m\nB unlock n\n").lines, Set{});
  // But what it got is held.
  EXPECT_EQ(run(kTwo + nest("A", {"m", "n"}) + "B trylock n\nB lock m @ b\nB unlock m\nB unlock n\n").lines,
            Set{"0: A.n b"});
}

TEST(LockOrder, ReacquiringWhileHoldingAnother) {
  EXPECT_EQ(run(kTwo + nest("A", {"m", "n"}) +
                "B lock m\nB lock n\nB wait c releasing m\nB reacquire c releasing m @ again\n")
                .lines,
            Set{"0: A.n again"});
}

// `thread` waits for the semaphores and posts them again.
std::string pass(const std::string& thread, const std::vector<std::string>& semaphores) {
  std::string text;
  for (const std::string& one : semaphores) text += thread + " sem-wait " + one + " @ " + thread + "." + one + "\n";
  for (auto one = semaphores.rbegin(); one != semaphores.rend(); ++one) text += thread + " sem-post " + *one + "\n";
  return text;
}
const std::string kSemaphores = "main sem-init a = 1\nmain sem-init b = 1\nmain sem-init g = 1\n" + kTwo;

TEST(LockOrder, BinarySemaphoresAreLocks) {
  EXPECT_EQ(run(kSemaphores + pass("A", {"a", "b"}) + pass("B", {"b", "a"})).lines, Set{"0: A.b B.a"});
  EXPECT_EQ(run(kSemaphores + pass("A", {"a", "b"}) + pass("B", {"a", "b"})).lines, Set{});
  EXPECT_EQ(run(kSemaphores + pass("A", {"g", "a", "b"}) + pass("B", {"g", "b", "a"})).lines, Set{});  // a gate
  // Made before anybody watched.
  EXPECT_EQ(run(kTwo + pass("A", {"a", "b"}) + pass("B", {"b", "a"})).lines, Set{"0: A.b B.a"});
}

TEST(LockOrder, ALockBesideASemaphore) {
  const std::string lock_then_wait = "A lock m @ l\nA sem-wait a @ A.a\nA sem-post a\nA unlock m\n";
  const std::string wait_then_lock = "B sem-wait a @ p\nB lock m @ B.m\nB unlock m\nB sem-post a\n";
  EXPECT_EQ(run(kSemaphores + lock_then_wait + wait_then_lock).lines, Set{"0: A.a B.m"});
  const std::string gated = "B lock g2\n" + wait_then_lock + "B unlock g2\n";
  EXPECT_EQ(run(kSemaphores + "A lock g2\n" + lock_then_wait + "A unlock g2\n" + gated).lines, Set{});
}

TEST(LockOrder, ASemaphoreThatSignalsIsNoLock) {
  // Begins with 0, or is posted by who did not wait for it.
  EXPECT_EQ(
      run("main sem-init a = 0\nmain sem-init b = 1\n" + kTwo + pass("A", {"a", "b"}) + pass("B", {"b", "a"})).lines,
      Set{});
  EXPECT_EQ(run(kSemaphores + pass("A", {"a", "b"}) + pass("B", {"b", "a"}) + "main sem-post a\n").lines, Set{});
}

TEST(LockOrder, AConditionWhoseSignalNeedsALock) {
  // A holds m while it waits for c; B takes m before it signals c.
  const std::string waits = "A lock m @ a1\nA lock n @ a2\nA wait c releasing n @ a3\n";
  EXPECT_EQ(run(kTwo + "B lock m @ b1\nB unlock m\nB signal c @ b2\n" + waits).lines, Set{"0: b1 a3"});
  EXPECT_EQ(run(kTwo + "B signal c @ b2\nB lock m @ b1\nB unlock m\n" + waits).lines, Set{});  // after the signal
  EXPECT_EQ(run(kTwo + "B lock m @ b1\nB unlock m\nB signal c @ b2\nA lock n\nA wait c releasing n @ a3\n").lines,
            Set{});
}

}  // namespace
}  // namespace ravel
