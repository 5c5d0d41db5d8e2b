// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reduced search against trying every interleaving, on random programs: the same final states, and one execution a
// trace. The traces are counted independently, by canonical form. And with any row of the dependence table taken away
// the comparison must fail: else the row, or this test, would be idle.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "explore/act.h"
#include "support/random_program.h"
#include "support/search.h"

namespace ravel::testing {
namespace {

std::string text_of(const toy::Program& program) {
  std::string text;
  for (const std::vector<toy::Step>& thread : program.threads) {
    text += "\n ";
    for (const toy::Step& step : thread) {
      text += " " + std::string(op_name(step.kind)) + "." + std::to_string(step.at);
      if (step.timed) text += "t";
      if (step.skip != 0) text += "?" + std::to_string(step.skip);
      if (step.value != 0 || step.kind == OpKind::kAtomicCas) text += "=" + std::to_string(step.value);
      if (step.kind == OpKind::kAtomicCas) text += ">" + std::to_string(step.desired);
    }
  }
  return text;
}

struct Truth {
  std::set<std::string> ends;  // final states
  std::set<std::string> traces;
  std::uint64_t interleavings = 0;
};

bool enumerate(const toy::Program& program, const toy::State& state, const toy::CanonicalTrace& trace,
               std::uint64_t most, Truth& truth) {
  const std::vector<toy::Transition> ways = toy::enabled(program, state);
  if (ways.empty()) {
    truth.ends.insert(toy::bytes_of(state));
    truth.traces.insert(trace.key());
    return ++truth.interleavings <= most;
  }
  for (const toy::Transition& way : ways) {
    toy::State next = state;
    toy::CanonicalTrace longer = trace;
    longer.add(toy::execute(program, next, way));
    if (!enumerate(program, next, longer, most, truth)) return false;
  }
  return true;
}

// Nothing when there are too many interleavings.
std::optional<Truth> truth_of(const toy::Program& program, std::uint64_t most) {
  Truth truth;
  if (!enumerate(program, toy::initial_state(program), {}, most, truth)) return std::nullopt;
  return truth;
}

struct Outcome {
  std::set<std::string> ends;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool complete = false;
  std::string note;
};

Outcome explore(const char* strategy, const toy::Program& program) {
  Search search(strategy, program);
  Outcome outcome;
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    if (block.result.outcome != OutcomeKind::kDiverged) outcome.ends.insert(toy::bytes_of(search.executor.last_state));
  };
  search.block->campaign.iterations = 10'000;
  search.run();
  outcome.executions = search.executions();
  outcome.blocked = search.block->progress.blocked.load();
  outcome.complete = search.complete();
  outcome.note = search.block->progress.strategy_note;
  return outcome;
}

constexpr std::uint64_t kMostInterleavings = 3'000;

// Calls `judge` with so many programs that are small enough.
void for_programs(std::uint64_t first, std::uint64_t count,
                  const std::function<bool(std::uint64_t seed, const toy::Program&, const Truth&)>& judge) {
  for (std::uint64_t seed = first, done = 0; done < count; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    const std::optional<Truth> truth = truth_of(program, kMostInterleavings);
    if (!truth) continue;
    ++done;
    if (!judge(seed, program, *truth)) return;
  }
}

std::uint64_t programs_to_try() {
  const char* text = std::getenv("RAVEL_FUZZ_PROGRAMS");
  return text == nullptr ? 1'000 : std::strtoull(text, nullptr, 10);
}

TEST(DporFuzz, OneExecutionATraceAndTheSameEnds) {
  std::uint64_t traces = 0;
  std::uint64_t interleavings = 0;
  for_programs(0, programs_to_try(), [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore("dpor", program);
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
