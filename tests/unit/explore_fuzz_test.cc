// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reduced search against trying every interleaving, on random programs: the same final states, and one execution a
// trace. The traces are counted independently, by canonical form. And with any row of the dependence table taken away
// the comparison must fail: else the row, or this test, would be idle.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "explore/act.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

// Every kind that the search reasons about, but for those that the toy machine has no word for or makes by itself.
bool belongs_to_programs(OpKind kind) {
  if (reasoning_of(kind) != Reasoning::kExact) return false;
  switch (kind) {
    case OpKind::kCondReacquire:  // the second halves of a wait
    case OpKind::kBarrierLeave:
    case OpKind::kFutexResume:
    case OpKind::kMutexInit:  // lives of objects
    case OpKind::kMutexDestroy:
    case OpKind::kCondInit:
    case OpKind::kCondDestroy:
    case OpKind::kRwInit:
    case OpKind::kRwDestroy:
    case OpKind::kSemInit:
    case OpKind::kSemDestroy:
    case OpKind::kBarrierInit:
    case OpKind::kBarrierDestroy:
      return false;
    default:
      break;
  }
  const OpFamily family = family_of(kind);
  // Compiled random programs observe in nearly every operation; the toy machine does not.
  const bool alone = family == OpFamily::kObservation || (family == OpFamily::kNone && kind != OpKind::kChoice);
  return !alone && family != OpFamily::kLifecycle && family != OpFamily::kHeap && family != OpFamily::kExit;
}

// What the programs of an everyday run are made of: each operation, and each way to wait, many times.
TEST(DporFuzz, ProgramsHaveEveryOperation) {
  std::map<OpKind, unsigned> uses;
  std::map<std::size_t, unsigned> threads;
  unsigned timed_locks = 0;
  unsigned timed_waits = 0;
  unsigned crowds = 0;
  for_programs(0, 1'000, [&](std::uint64_t, const toy::Program& program, const Truth&) {
    unsigned waiters = 0;
    bool signalled = false;
    ++threads[program.threads.size()];
    for (const std::vector<toy::Step>& thread : program.threads) {
      for (const toy::Step& step : thread) {
        ++uses[step.kind];
        waiters += step.kind == OpKind::kCondWait;
        signalled = signalled || step.kind == OpKind::kCondSignal;
        timed_locks += step.timed && step.kind == OpKind::kMutexLock;
        timed_waits += step.timed && (step.kind == OpKind::kCondWait || step.kind == OpKind::kFutexWait);
      }
    }
    crowds += waiters >= 3 && signalled;
    return true;
  });
  // Messages, selections and phases have programs of their own (explore_reachability_test.cc).
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    toy::Program (*const select)(std::uint64_t) = &toy::random_select_program;
    for (const auto random :
         {&toy::random_message_program, &toy::random_parcel_program, &toy::random_phase_program, select}) {
      for (const std::vector<toy::Step>& thread : random(seed).threads) {
        for (const toy::Step& step : thread) ++uses[step.kind];
      }
    }
  }
  for (unsigned number = 0; number < static_cast<unsigned>(OpKind::kCount); ++number) {
    const auto kind = static_cast<OpKind>(number);
    if (!belongs_to_programs(kind)) continue;
    EXPECT_GE(uses[kind], 30u) << op_name(kind);
  }
  for (const std::size_t number : {2u, 3u, 4u}) EXPECT_GE(threads[number], 100u) << number << " threads";
  EXPECT_GE(timed_locks, 30u);
  EXPECT_GE(timed_waits, 30u);
  EXPECT_GE(crowds, 10u);
}

// Latches and barriers as whole operations, with memory beside them.
TEST(DporFuzz, PhasesHaveEachTraceOnce) {
  unsigned programs = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const toy::Program program = toy::random_phase_program(seed);
    const std::optional<Truth> truth = truth_of(program, kMostInterleavings);
    if (!truth) continue;
    ++programs;
    const Outcome outcome = explore("dpor", program);
    EXPECT_TRUE(outcome.complete) << outcome.note << ", seed " << seed << text_of(program);
    EXPECT_EQ(outcome.executions, truth->traces.size()) << "seed " << seed << text_of(program);
    EXPECT_TRUE(outcome.ends == truth->ends) << "seed " << seed << text_of(program);
  }
  EXPECT_GT(programs, 200u);
}

void expect_each_trace_once(const char* strategy, std::uint64_t programs) {
  std::uint64_t traces = 0;
  std::uint64_t interleavings = 0;
  for_programs(first_program(), programs, [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore(strategy, program);
    const std::string where = "seed " + std::to_string(seed) + text_of(program);
    EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
    EXPECT_EQ(outcome.executions, truth.traces.size()) << where;
    EXPECT_EQ(outcome.blocked, 0u) << where;
    EXPECT_TRUE(outcome.ends == truth.ends) << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
    traces += truth.traces.size();
    interleavings += truth.interleavings;
    return !::testing::Test::HasFailure() || std::getenv("RAVEL_FUZZ_ALL") != nullptr;
  });
  EXPECT_LT(traces * 5, interleavings);  // there was something to reduce
}

TEST(DporFuzz, OneExecutionATraceAndTheSameEnds) {
  expect_each_trace_once("dpor", programs_to_try());
}

// Branches near the root first: what was begun before is still the same search.
TEST(DporFuzz, WideFirstIsTheSameSearch) {
  expect_each_trace_once("dpor,first=wide", programs_to_try());
}

// The same without wake-up trees, but some runs are redundant. What they saw does not count.
TEST(SourceSetFuzz, OneExecutionATraceAndTheSameEnds) {
  std::uint64_t traces = 0;
  std::uint64_t blocked = 0;
  for_programs(first_program(), programs_to_try(),
               [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
                 const Outcome outcome = explore("dpor,sets=source", program);
                 const std::string where = "seed " + std::to_string(seed) + text_of(program);
                 EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
                 EXPECT_EQ(outcome.executions, truth.traces.size()) << where;
                 EXPECT_TRUE(outcome.ends == truth.ends)
                     << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
                 traces += truth.traces.size();
                 blocked += outcome.blocked;
                 return !::testing::Test::HasFailure() || std::getenv("RAVEL_FUZZ_ALL") != nullptr;
               });
  RecordProperty("blocked", std::to_string(blocked) + " beside " + std::to_string(traces));
  EXPECT_GT(blocked, 0u);
  EXPECT_LT(blocked, traces);
}

// A row of the table taken away: the pairs it speaks of are called independent.
struct Row {
  const char* name;
  bool (*speaks_of)(const OperationView& a, const OperationView& b);
};

template <OpKind... kinds>
bool is(const OperationView& op) {
  return ((op.kind == kinds) || ...);
}
template <bool (*first)(const OperationView&), bool (*second)(const OperationView&)>
bool pair(const OperationView& a, const OperationView& b) {
  return (first(a) && second(b)) || (first(b) && second(a));
}
bool writes(const OperationView& op) {
  return is_memory_access(op.kind) && has_write_effect(op.kind, op.bits);
}
bool reads_only(const OperationView& op) {
  return is_memory_access(op.kind) && !has_write_effect(op.kind, op.bits);
}
bool rmw(const OperationView& op) {
  return op.kind == OpKind::kAtomicRmw || (op.kind == OpKind::kAtomicCas && (op.bits & kFailed) == 0);
}
bool locks(const OperationView& op) {
  return is<OpKind::kMutexLock>(op) && (op.bits & kFailed) == 0;
}
bool fails_to_lock(const OperationView& op) {
  return is<OpKind::kMutexLock, OpKind::kMutexTryLock>(op) && (op.bits & kFailed) != 0;
}
bool unlocks(const OperationView& op) {
  return is<OpKind::kMutexUnlock, OpKind::kCondWait>(op);
}
bool reacquires(const OperationView& op) {
  return is<OpKind::kCondReacquire>(op);
}
bool gives_up(const OperationView& op) {
  return reacquires(op) && (op.bits & kTimeout) != 0;
}
bool waits(const OperationView& op) {
  return is<OpKind::kCondWait>(op);
}
bool signals(const OperationView& op) {
  return is<OpKind::kCondSignal>(op);
}
bool broadcasts(const OperationView& op) {
  return is<OpKind::kCondBroadcast>(op);
}
bool takes_for_writing(const OperationView& op) {
  return is<OpKind::kRwWriteLock, OpKind::kRwTryWriteLock>(op);
}
bool takes_for_reading(const OperationView& op) {
  return is<OpKind::kRwReadLock, OpKind::kRwTryReadLock>(op);
}
bool leaves_rwlock(const OperationView& op) {
  return is<OpKind::kRwUnlock>(op);
}
bool takes_unit(const OperationView& op) {
  return is<OpKind::kSemWait, OpKind::kSemTryWait>(op);
}
bool posts(const OperationView& op) {
  return is<OpKind::kSemPost>(op);
}
bool reads_units(const OperationView& op) {
  return is<OpKind::kSemValue>(op);
}
bool arrives(const OperationView& op) {
  return is<OpKind::kBarrierArrive>(op);
}
bool leaves(const OperationView& op) {
  return is<OpKind::kBarrierLeave>(op);
}
bool begins(const OperationView& op) {
  return is<OpKind::kOnceBegin>(op);
}
bool ends_once(const OperationView& op) {
  return is<OpKind::kOnceEnd, OpKind::kOnceAbort>(op);
}
bool waits_on_futex(const OperationView& op) {
  return is<OpKind::kFutexWait>(op);
}
bool wakes(const OperationView& op) {
  return is<OpKind::kFutexWake>(op);
}
bool resumes(const OperationView& op) {
  return is<OpKind::kFutexResume>(op);
}

const Row kRows[] = {
    {"write x write", pair<writes, writes>},
    {"write x read", pair<writes, reads_only>},
    {"rmw x rmw", pair<rmw, rmw>},
    {"lock x lock", pair<locks, locks>},
    {"failed lock x lock", pair<fails_to_lock, locks>},
    {"failed lock x unlock", pair<fails_to_lock, unlocks>},
    {"lock x unlock", pair<locks, unlocks>},
    {"reacquire x mutex", pair<reacquires, locks>},
    {"reacquire x reacquire", pair<reacquires, reacquires>},
    {"wait x signal", pair<waits, signals>},
    {"wait x broadcast", pair<waits, broadcasts>},
    {"signal x signal", pair<signals, signals>},
    {"signal x broadcast", pair<signals, broadcasts>},
    {"signal x reacquire", pair<signals, reacquires>},
    {"signal x time-out", pair<signals, gives_up>},
    {"broadcast x reacquire", pair<broadcasts, reacquires>},
    {"writer x writer", pair<takes_for_writing, takes_for_writing>},
    {"writer x reader", pair<takes_for_writing, takes_for_reading>},
    {"rwlock x unlock", pair<leaves_rwlock, takes_for_writing>},
    {"rwlock reader x unlock", pair<leaves_rwlock, takes_for_reading>},
    {"unit x unit", pair<takes_unit, takes_unit>},
    {"unit x post", pair<takes_unit, posts>},
    {"value x unit", pair<reads_units, takes_unit>},
    {"value x post", pair<reads_units, posts>},
    {"arrive x arrive", pair<arrives, arrives>},
    {"arrive x leave", pair<arrives, leaves>},
    {"begin x begin", pair<begins, begins>},
    {"begin x end", pair<begins, ends_once>},
    {"futex wait x write", pair<waits_on_futex, writes>},
    {"futex wait x wait", pair<waits_on_futex, waits_on_futex>},
    {"futex wait x wake", pair<waits_on_futex, wakes>},
    {"futex wake x wake", pair<wakes, wakes>},
    {"futex wake x resume", pair<wakes, resumes>},
};

const Row* removed = nullptr;

TEST(DporFuzz, EveryRowIsNeeded) {
  for (const Row& row : kRows) {
    removed = &row;
    dependence_rule = [](const OperationView& a, const OperationView& b) {
      return (a.thread == b.thread || !removed->speaks_of(a, b)) && dependent(a, b);
    };
    bool noticed = false;
    for_programs(0, 2'000, [&](std::uint64_t, const toy::Program& program, const Truth& truth) {
      const Outcome outcome = explore("dpor", program);
      noticed = !outcome.complete || outcome.executions != truth.traces.size() || outcome.ends != truth.ends;
      return !noticed;
    });
    dependence_rule = &dependent;
    EXPECT_TRUE(noticed) << row.name;
  }
}

}  // namespace
}  // namespace ravel::testing
