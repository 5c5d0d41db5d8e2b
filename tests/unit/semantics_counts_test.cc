// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Numbers of Mazurkiewicz traces of small programs with a known closed form, counted by trying every interleaving and
// putting each into canonical form under the dependence table. Conventions: one event is one shared access, a failed
// CAS is a read, read-modify-writes do not commute, lock order counts, blocked attempts are no events.
#include <gtest/gtest.h>

#include "support/model_program.h"

namespace ravel::toy {
namespace {

using Threads = std::vector<std::vector<Step>>;

Program program(Threads threads) {
  return {std::move(threads), {}, {}};
}

Threads repeat(unsigned n, const std::vector<Step>& steps) {
  return Threads(n, steps);
}

std::uint64_t factorial(unsigned n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

// Both counts must agree: the pruned one relies on the table, the other one does not.
std::uint64_t traces(const Threads& threads) {
  const Count every = count_traces(program(threads));
  const Count pruned = count_traces_pruned(program(threads));
  EXPECT_EQ(every.traces, pruned.traces);
  EXPECT_EQ(every.deadlocked, pruned.deadlocked);
  return every.traces;
}

TEST(Counts, InterleavingsAreMultinomial) {
  // (2+3+1)! / (2! 3! 1!) = 60, whatever depends on what.
  EXPECT_EQ(count_traces(program({{load(0), load(0)}, {store(1, 1), add(1, 1), load(0)}, {load(2)}})).interleavings,
            60u);
}

TEST(Counts, Readers) {  // one write, n reads: each read before or after, 2^n
  for (unsigned n = 1; n <= 5; ++n) {
    Threads threads = repeat(n, {load(0)});
    threads.push_back({store(0, 1)});
    EXPECT_EQ(traces(threads), 1u << n) << n;
  }
}

TEST(Counts, Writers) {  // n!
  for (unsigned n = 1; n <= 5; ++n) EXPECT_EQ(traces(repeat(n, {store(0, 1)})), factorial(n)) << n;
}

TEST(Counts, FloatingRead) {  // n writers and one reader: (n+1)!
  for (unsigned n = 1; n <= 4; ++n) {
    Threads threads = repeat(n, {store(0, 1)});
    threads.push_back({load(0)});
    EXPECT_EQ(traces(threads), factorial(n + 1)) << n;
  }
}

TEST(Counts, Increments) {
  EXPECT_EQ(traces(repeat(4, {add(0, 1)})), 24u);             // n!
  EXPECT_EQ(traces(repeat(3, {add(0, 1), add(1, 1)})), 36u);  // two counters: (n!)^2
}

TEST(Counts, RacyIncrement) {  // load then store: (n!)^2
  EXPECT_EQ(traces(repeat(2, {load(0, 0), store(0, 1, 1)})), 4u);
  EXPECT_EQ(traces(repeat(3, {load(0, 0), store(0, 1, 1)})), 36u);
}

TEST(Counts, PartialOverlapOrdersToo) {
  // A write of bytes 0..1 meets a read of byte 1 but not a read of byte 2: 2, not 4.
  Step wide = store(0, 1);
  wide.size = 2;
  EXPECT_EQ(traces({{wide}, {load(1)}, {load(2)}}), 2u);
}

TEST(Counts, CriticalSections) {
  for (unsigned n = 1; n <= 5; ++n) EXPECT_EQ(traces(repeat(n, {lock(0), unlock(0)})), factorial(n)) << n;
  EXPECT_EQ(traces(repeat(2, {lock(0), unlock(0), lock(0), unlock(0)})), 6u);   // 4!/(2!2!)
  EXPECT_EQ(traces(repeat(3, {lock(0), unlock(0), lock(0), unlock(0)})), 90u);  // 6!/(2!2!2!)
  // The data inside adds nothing to the order of the locks.
  const std::vector<Step> twice = {lock(0), load(0, 0), store(0, 1, 1), unlock(0),
                                   lock(0), load(0, 0), store(0, 1, 1), unlock(0)};
  EXPECT_EQ(traces(repeat(3, twice)), 90u);
  // Different locks: nothing to order.
  EXPECT_EQ(traces({{lock(0), unlock(0)}, {lock(1), unlock(1)}}), 1u);
}

TEST(Counts, TryLockBesideLock) {  // before, within (fails), after
  EXPECT_EQ(traces({{lock(0), unlock(0)}, {trylock(0, 1), unlock(0)}}), 3u);
  // Either one first and through (2), or one fails while the other holds it (2).
  EXPECT_EQ(traces({{trylock(0, 1), unlock(0)}, {trylock(0, 1), unlock(0)}}), 4u);
}

TEST(Counts, CasFromZero) {  // thread i: CAS 0 -> i. One wins, the others read: n
  for (unsigned n = 1; n <= 5; ++n) {
    Threads threads;
    for (unsigned i = 1; i <= n; ++i) threads.push_back({cas(0, 0, i)});
    EXPECT_EQ(traces(threads), n);
  }
}

TEST(Counts, CasRotation) {  // thread i: CAS i-1 -> i
  const std::uint64_t expected[] = {2, 5, 14, 43};
  for (unsigned n = 2; n <= 5; ++n) {
    Threads threads;
    for (unsigned i = 1; i <= n; ++i) threads.push_back({cas(0, i - 1, i)});
    EXPECT_EQ(traces(threads), expected[n - 2]) << n;
  }
}

TEST(Counts, StoreThenCas) {  // one store of 2, n CAS 2 -> 3: n 2^(n-1) + 1
  const std::uint64_t expected[] = {5, 13, 33};
  for (unsigned n = 2; n <= 4; ++n) {
    Threads threads = repeat(n, {cas(0, 2, 3)});
    threads.push_back({store(0, 2)});
    EXPECT_EQ(traces(threads), expected[n - 2]) << n;
  }
}

TEST(Counts, CasAndStore) {  // each CAS 0 -> 1, then stores its own value
  EXPECT_EQ(traces({{cas(0, 0, 1), store(0, 1)}, {cas(0, 0, 1), store(0, 2)}}), 6u);
  EXPECT_EQ(traces({{cas(0, 0, 1), store(0, 1)}, {cas(0, 0, 1), store(0, 2)}, {cas(0, 0, 1), store(0, 3)}}), 66u);
}

TEST(Counts, LastZero) {  // T0 looks for the last zero from the end; Tj: a[j] = a[j-1] + 1. (n+3) 2^(n-2)
  const std::uint64_t expected[] = {5, 12, 28};
  for (unsigned n = 2; n <= 4; ++n) {
    Threads threads(1);
    for (unsigned i = n + 1; i-- > 0;) {
      Step look = load(i);
      look.flow = Flow::kEndIfZero;
      threads[0].push_back(look);
    }
    for (unsigned j = 1; j <= n; ++j) threads.push_back({load(j - 1, 0), store(j, 1, 1)});
    EXPECT_EQ(traces(threads), expected[n - 2]) << n;
  }
}

Threads fibonacci(unsigned n) {  // i += j beside j += i, n times each
  Threads threads(2);
  for (unsigned k = 0; k < n; ++k) {
    for (const Step& s : {load(0, 0), load(1, 1), store(0, 0, 3)}) threads[0].push_back(s);
    for (const Step& s : {load(1, 0), load(0, 1), store(1, 0, 3)}) threads[1].push_back(s);
  }
  return threads;
}

TEST(Counts, Fibonacci) {
  EXPECT_EQ(traces(fibonacci(1)), 3u);
  EXPECT_EQ(traces(fibonacci(2)), 19u);
  EXPECT_EQ(count_traces_pruned(program(fibonacci(3))).traces, 141u);
  Threads beside_main = fibonacci(1);  // main loads i, then j
  beside_main.push_back({load(0), load(1)});
  EXPECT_EQ(traces(beside_main), 11u);
  beside_main = fibonacci(2);
  beside_main.push_back({load(0), load(1)});
  EXPECT_EQ(count_traces_pruned(program(beside_main)).traces, 140u);
}

std::vector<Step> eat(unsigned first, unsigned second) {
  return {lock(first), lock(second), unlock(second), unlock(first)};
}

TEST(Counts, DiningPhilosophers) {  // all left-first: 2^n - 1 maximal traces, one of them the deadlock
  for (unsigned n = 2; n <= 3; ++n) {
    Threads threads;
    for (unsigned i = 0; i < n; ++i) threads.push_back(eat(i, (i + 1) % n));
    EXPECT_EQ(traces(threads), (1u << n) - 1);
    EXPECT_EQ(count_traces(program(threads)).deadlocked, 1u);
  }
  // Ordered forks: the three pairs of neighbours are each ordered, but not in a circle: 8 - 2 = 6.
  const Threads ordered = {eat(0, 1), eat(1, 2), eat(0, 2)};
  EXPECT_EQ(traces(ordered), 6u);
  EXPECT_EQ(count_traces(program(ordered)).deadlocked, 0u);
}

TEST(Counts, Litmus) {
  EXPECT_EQ(traces({{store(0, 1), load(1)}, {store(1, 1), load(0)}}), 3u);                         // store buffering
  EXPECT_EQ(traces({{load(0), store(1, 1)}, {load(1), store(0, 1)}}), 3u);                         // load buffering
  EXPECT_EQ(traces({{store(0, 1), store(1, 2)}, {store(1, 1), store(0, 2)}}), 3u);                 // 2+2W
  EXPECT_EQ(traces({{store(0, 1)}, {store(1, 1)}, {load(0), load(1)}, {load(1), load(0)}}), 15u);  // IRIW
}

TEST(Counts, ReaderWriterLock) {
  const std::vector<Step> reader = {on(OpKind::kRwReadLock, 0), on(OpKind::kRwUnlock, 0)};
  const std::vector<Step> writer = {on(OpKind::kRwWriteLock, 0), on(OpKind::kRwUnlock, 0)};
  EXPECT_EQ(traces(repeat(3, reader)), 1u);         // readers commute
  EXPECT_EQ(traces(repeat(3, writer)), 6u);         // writers do not: n!
  EXPECT_EQ(traces({reader, reader, writer}), 4u);  // each reader before or after: 2^2
  EXPECT_EQ(traces({reader, writer, writer}), 6u);  // 2 orders of writers, 3 places
}

TEST(Counts, Semaphores) {
  Program producers{{{on(OpKind::kSemPost, 0)}, {on(OpKind::kSemPost, 0)}, {on(OpKind::kSemWait, 0)}}, {}, {}};
  // Posts commute; the wait is after one of them (2) or after both (1).
  EXPECT_EQ(count_traces(producers).traces, 3u);
  producers.threads = repeat(3, {on(OpKind::kSemWait, 0)});
  producers.semaphores = {2, 0};
  // Two of three get it, in some order: 6, each ending with a thread that waits for ever.
  EXPECT_EQ(count_traces(producers).traces, 6u);
  EXPECT_EQ(count_traces(producers).deadlocked, 6u);
}

TEST(Counts, Barrier) {  // the order of arrival: n! (the last one learns so)
  for (unsigned n = 2; n <= 4; ++n) {
    const Program p{repeat(n, {on(OpKind::kBarrierArrive, 0)}), {}, {n, 0}};
    EXPECT_EQ(count_traces(p).traces, factorial(n));
    EXPECT_EQ(count_traces_pruned(p).traces, factorial(n));
    EXPECT_EQ(count_traces(p).deadlocked, 0u);
  }
}

TEST(Counts, OnceIsDecidedByTheFirst) {  // n: who runs it; those who find it done are not ordered
  Step begin = on(OpKind::kOnceBegin, 0);
  begin.skip = 1;
  for (unsigned n = 2; n <= 4; ++n) EXPECT_EQ(traces(repeat(n, {begin, on(OpKind::kOnceEnd, 0)})), n);
}

TEST(Counts, ConditionVariable) {
  const std::vector<Step> waiter = {lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)};
  // A bare signal: lost before the wait, or it wakes the waiter.
  const Threads lost = {waiter, {on(OpKind::kCondSignal, 0)}};
  EXPECT_EQ(traces(lost), 2u);
  EXPECT_EQ(count_traces(program(lost)).deadlocked, 1u);
  // Each broadcast comes before the wait, within it or after it: 9, but without one within (4) the waiter never goes
  // on, and these are one trace, both before: 9 - 4 + 1.
  EXPECT_EQ(traces({waiter, {on(OpKind::kCondBroadcast, 0)}, {on(OpKind::kCondBroadcast, 0)}}), 6u);
}

TEST(Counts, LifecycleOrdersNothingElse) {
  // create -> start and end -> join are fixed; the two writes race: 2.
  const Threads threads = {{on(OpKind::kThreadCreate, 1), on(OpKind::kThreadCreate, 2), on(OpKind::kThreadJoin, 1),
                            on(OpKind::kThreadJoin, 2)},
                           {on(OpKind::kThreadStart, 1), store(0, 1), on(OpKind::kThreadEnd, 1)},
                           {on(OpKind::kThreadStart, 2), store(0, 2), on(OpKind::kThreadEnd, 2)}};
  EXPECT_EQ(traces(threads), 2u);
}

}  // namespace
}  // namespace ravel::toy
