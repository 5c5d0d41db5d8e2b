// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The dependence table against the effects, by brute force over all states of thousands of small random programs:
//   sound     independent operations commute, keep each other enabled, and keep each other's outcome;
//   stable    swapping independent neighbours of a complete execution changes neither the end nor any value read;
//   not idle  each pair of rows said to be dependent that ever meets has a state in which the order matters.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <unordered_set>

#include "base/random.h"
#include "semantics/dependence.h"
#include "support/model_program.h"
#include "support/random_program.h"

namespace ravel::toy {
namespace {

OpKind any_of(Random& random, std::initializer_list<OpKind> kinds) {
  return kinds.begin()[random.below(kinds.size())];
}

Step random_memory_step(Random& random) {
  Step step = on(any_of(random, {OpKind::kRead, OpKind::kWrite, OpKind::kAtomicLoad, OpKind::kAtomicStore,
                                 OpKind::kAtomicRmw, OpKind::kAtomicCas}),
                 static_cast<std::uint32_t>(random.below(3)));
  step.size = 1 + static_cast<std::uint32_t>(random.below(2));
  step.value = static_cast<std::uint32_t>(random.below(3));
  step.desired = static_cast<std::uint32_t>(random.below(3));
  if (step.kind == OpKind::kAtomicRmw && step.value == 0) step.value = 1;
  step.reg = static_cast<std::uint32_t>(random.below(kRegisters + 1));
  step.sum = static_cast<std::uint32_t>(random.below(4));
  return step;
}

// Mostly used as intended: taken and given back; now and then misused, which must be sound as well.
void add_random_steps(Random& random, unsigned family, std::vector<Step>& steps) {
  const auto object = static_cast<std::uint32_t>(random.below(4) == 0);
  const bool misuse = random.below(8) == 0;
  switch (family) {
    case 0:
      steps.push_back(random_memory_step(random));
      return;
    case 1: {
      Step take = random.below(3) == 0 ? trylock(object, misuse ? 0 : 1) : lock(object);
      take.timed = random.below(4) == 0;
      if (take.timed) {
        take.flow = Flow::kSkipIfFailed;
        take.skip = 1;
      }
      take.type = static_cast<MutexType>(random.below(3));
      if (misuse && random.below(2) == 0) {
        steps.push_back(on(any_of(random, {OpKind::kMutexDestroy, OpKind::kMutexInit, OpKind::kMutexUnlock}), object));
      }
      steps.push_back(take);
      if (random.below(6) != 0) steps.push_back(unlock(object));
      return;
    }
    case 2: {
      const OpKind kind = any_of(random, {OpKind::kCondWait, OpKind::kCondWait, OpKind::kCondSignal,
                                          OpKind::kCondSignal, OpKind::kCondBroadcast, OpKind::kCondDestroy});
      if (kind != OpKind::kCondWait) {
        if (kind != OpKind::kCondDestroy || misuse) steps.push_back(on(kind, object));
        return;
      }
      const std::uint32_t mutex = misuse ? 1 - object : object;
      Step wait = on(OpKind::kCondWait, object, mutex);
      wait.timed = random.below(3) == 0;
      steps.push_back(lock(mutex));
      steps.push_back(wait);
      steps.push_back(unlock(mutex));
      return;
    }
    case 3: {
      Step take = on(any_of(random, {OpKind::kRwReadLock, OpKind::kRwReadLock, OpKind::kRwWriteLock,
                                     OpKind::kRwTryReadLock, OpKind::kRwTryWriteLock}),
                     object);
      take.flow = Flow::kSkipIfFailed;
      take.skip = misuse ? 0 : 1;
      take.timed = random.below(4) == 0;
      if (misuse) steps.push_back(on(any_of(random, {OpKind::kRwDestroy, OpKind::kRwInit}), object));
      steps.push_back(take);
      if (random.below(6) != 0) steps.push_back(on(OpKind::kRwUnlock, object));
      return;
    }
    case 4: {
      Step step = on(any_of(random, {OpKind::kSemWait, OpKind::kSemTryWait, OpKind::kSemPost, OpKind::kSemPost,
                                     OpKind::kSemValue}),
                     object);
      step.timed = random.below(4) == 0;
      if (misuse) steps.push_back(on(OpKind::kSemDestroy, object));
      steps.push_back(step);
      return;
    }
    case 5: {
      if (misuse) {
        Step init = on(any_of(random, {OpKind::kBarrierInit, OpKind::kBarrierDestroy}), object);
        init.value = 2;
        steps.push_back(init);
      }
      steps.push_back(on(OpKind::kBarrierArrive, object));
      return;
    }
    case 6: {
      Step begin = on(OpKind::kOnceBegin, object);
      begin.skip = 1;
      steps.push_back(begin);
      steps.push_back(on(random.below(3) == 0 ? OpKind::kOnceAbort : OpKind::kOnceEnd, object));
      return;
    }
    default: {
      Step step = on(any_of(random, {OpKind::kFutexWait, OpKind::kFutexWait, OpKind::kFutexWake, OpKind::kAtomicStore}),
                     object * 4);
      step.timed = random.below(3) == 0;
      step.value = static_cast<std::uint32_t>(random.below(2));
      if (step.kind == OpKind::kFutexWake) step.value = 1 + static_cast<std::uint32_t>(random.below(2));
      steps.push_back(step);
      return;
    }
  }
}

// One or two families a program, so that operations meet often.
Program random_program(std::uint64_t seed) {
  Random random(seed);
  Program program;
  const unsigned families[] = {static_cast<unsigned>(seed % 8), static_cast<unsigned>(random.below(8))};
  const std::size_t threads = 2 + random.below(3);
  const std::size_t groups = threads == 2 ? 3 : (threads == 3 ? 2 : 1);
  for (std::size_t t = 0; t < threads; ++t) {
    std::vector<Step> steps;
    for (std::size_t i = 0; i < groups; ++i) add_random_steps(random, families[random.below(4) == 0], steps);
    program.threads.push_back(steps);
  }
  program.semaphores = {static_cast<std::uint32_t>(random.below(3)), 1};
  program.barriers = {2, static_cast<std::uint32_t>(1 + random.below(3))};
  return program;
}

// A row of the table: the kind with the outcome that counts.
std::string row_of(const OperationView& op) {
  std::string name(op_name(op.kind));
  if ((op.bits & kFailed) != 0) name += '!';
  if ((op.bits & kTimeout) != 0 && op.kind == OpKind::kCondReacquire) name += "-timeout";
  if (op.kind == OpKind::kCondSignal && op.value == kNoThread) name += "-lost";
  if (op.kind == OpKind::kRwUnlock && op.value == kReaderUnlock) name += "-reader";
  if (op.kind == OpKind::kBarrierArrive && op.value == kFilledRound) name += "-fills";
  if (op.kind == OpKind::kPhaseArrive && op.value == kFilledRound) name += "-ends";
  if (op.kind == OpKind::kOnceBegin && op.value == kOnceDone) name += "-done";
  return name;
}

bool same_outcome(const OperationView& a, const OperationView& b) {
  return a.kind == b.kind && a.bits == b.bits && (a.kind == OpKind::kCondBroadcast || a.value == b.value);
}

struct Seen {
  std::uint64_t independent = 0;
  std::uint64_t dependent = 0;
  bool order_matters = false;  // in some state, for a pair said to be dependent
};

class Judge {
 public:
  std::map<std::pair<std::string, std::string>, Seen> pairs;
  std::uint64_t states = 0;

  // All reachable states.
  void judge(const Program& program) {
    std::unordered_set<std::string> visited;
    std::vector<State> open = {initial_state(program)};
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      if (!visited.insert(bytes_of(state)).second) continue;
      ++states;
      const std::vector<Transition> ways = enabled(program, state);
      for (const Transition& first : ways) {
        State next = state;
        const OperationView operation = execute(program, next, first);
        open.push_back(next);
        for (const Transition& second : enabled(program, next)) {
          if (second.thread != first.thread) judge_neighbours(program, state, first, operation, next, second);
        }
        for (const Transition& second : ways) {
          if (second.thread > first.thread) judge_alternatives(program, state, first, operation, next, second);
        }
      }
    }
  }

 private:
  // `second` runs right after `first`: could it have run right before?
  void judge_neighbours(const Program& program, const State& state, const Transition& first,
                        const OperationView& of_first, const State& between, const Transition& second) {
    State end = between;
    const OperationView of_second = execute(program, end, second);
    record(of_first, of_second, swaps(program, state, first, of_first, second, of_second, end));
  }

  // Both can run now: do they leave each other alone?
  void judge_alternatives(const Program& program, const State& state, const Transition& first,
                          const OperationView& of_first, const State& after_first, const Transition& second) {
    State after_second = state;
    const OperationView of_second = execute(program, after_second, second);
    State end = after_first;
    Transition again;
    const bool commutes = find(program, after_first, second, of_second, again) &&
                          same_outcome(execute(program, end, again), of_second) &&
                          swaps(program, state, first, of_first, second, of_second, end);
    record(of_first, of_second, commutes);
  }

  // Running `second` first from `state` keeps both outcomes and comes to `end`.
  static bool swaps(const Program& program, const State& state, const Transition& first, const OperationView& of_first,
                    const Transition& second, const OperationView& of_second, const State& end) {
    State other = state;
    Transition way;
    if (!find(program, other, second, of_second, way)) return false;
    if (!same_outcome(execute(program, other, way), of_second)) return false;
    if (!find(program, other, first, of_first, way)) return false;
    return same_outcome(execute(program, other, way), of_first) && bytes_of(other) == bytes_of(end);
  }

  // The transition of the same thread with the same outcome: the rank of a woken waiter may have changed.
  static bool find(const Program& program, const State& state, const Transition& wanted, const OperationView& outcome,
                   Transition& found) {
    for (const Transition& way : enabled(program, state)) {
      if (way.thread != wanted.thread || way.timeout != wanted.timeout) continue;
      State trial = state;
      if (!same_outcome(execute(program, trial, way), outcome)) continue;
      found = way;
      return true;
    }
    return false;
  }

  void record(const OperationView& a, const OperationView& b, bool commutes) {
    std::string row_a = row_of(a);
    std::string row_b = row_of(b);
    if (row_b < row_a) std::swap(row_a, row_b);
    Seen& seen = pairs[{row_a, row_b}];
    EXPECT_EQ(dependent(a, b), dependent(b, a)) << row_a << " x " << row_b;
    if (!dependent(a, b)) {
      ++seen.independent;
      EXPECT_TRUE(commutes) << "said to be independent: " << row_a << " x " << row_b;
    } else {
      ++seen.dependent;
      seen.order_matters |= !commutes;
    }
  }
};

constexpr std::uint64_t kPrograms = 6000;

const Judge& judgement() {
  static const Judge judge = [] {
    Judge result;
    for (std::uint64_t seed = 0; seed < kPrograms && !::testing::Test::HasFailure(); ++seed) {
      result.judge(random_program(seed));
    }
    return result;
  }();
  return judge;
}

TEST(Dependence, IndependentOperationsCommute) {
  EXPECT_GT(judgement().states, 100'000u);
}

TEST(Dependence, TheRowsThatGainAreReached) {
  const std::pair<const char*, const char*> rows[] = {
      {"rdlock", "rdlock"},
      {"rdlock", "rwunlock-reader"},
      {"rwunlock-reader", "rwunlock-reader"},
      {"sem-post", "sem-post"},
      {"trylock!", "trylock!"},
      {"broadcast", "broadcast"},
      {"arrive", "leave"},
      {"leave", "leave"},
      {"once-begin-done", "once-begin-done"},
      {"cas!", "cas!"},
      {"cas!", "load"},
      {"signal-lost", "signal-lost"},
      {"reacquire", "signal"},
      {"futex-wait", "futex-wait!"},
      {"futex-resume", "futex-resume"},
      {"lock", "lock"},
      {"sem-trywait!", "sem-trywait!"},
      {"sem-trywait!", "sem-value"},
      {"sem-value", "sem-value"},
      {"trywrlock!", "trywrlock!"},
  };
  for (const auto& row : rows) {
    const auto found = judgement().pairs.find(row);
    ASSERT_NE(found, judgement().pairs.end()) << row.first << " x " << row.second;
    EXPECT_GT(found->second.independent, 0u) << row.first << " x " << row.second;
  }
}

// Creation, destruction and misuses end the matter; their rows are coarse on purpose.
bool is_beside_the_point(const std::string& row) {
  for (const char* part : {"-init", "-destroy", "arrive!", "once-abort!"}) {
    if (row.find(part) != std::string::npos) return true;
  }
  return row == "wait!";
}

TEST(Dependence, OrderMattersWhereTheTableSaysSo) {
  for (const auto& [rows, seen] : judgement().pairs) {
    if (is_beside_the_point(rows.first) || is_beside_the_point(rows.second)) continue;
    EXPECT_TRUE(seen.dependent == 0 || seen.order_matters)
        << rows.first << " x " << rows.second << " commuted all " << seen.dependent << " times";
  }
}

TEST(Dependence, MessagesCommuteWhereTheTableSaysSo) {
  Judge judge;
  for (std::uint64_t seed = 0; seed < 600 && !HasFailure(); ++seed) judge.judge(toy::random_message_program(seed));
  EXPECT_GT(judge.states, 10'000u);
  const std::pair<std::string, std::string> apart[] = {{"receive", "send"}, {"send", "try-receive"}};
  for (const auto& pair : apart) EXPECT_GT(judge.pairs[pair].independent, 0u) << pair.first << " x " << pair.second;
  const std::pair<std::string, std::string> together[] = {
      {"rendezvous", "rendezvous"}, {"open", "rendezvous"}, {"accept", "rendezvous"}, {"else!", "rendezvous"},
      {"reply", "return"},          {"send", "send"},       {"receive", "send"},      {"send", "try-receive!"}};
  for (const auto& pair : together) EXPECT_TRUE(judge.pairs[pair].order_matters) << pair.first << " x " << pair.second;
}

TEST(Dependence, ParcelsAndPhasesCommuteWhereTheTableSaysSo) {
  Judge judge;
  for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) judge.judge(toy::random_parcel_program(seed));
  const auto step = [](OpKind kind, std::uint32_t value) {
    Step made = on(kind, 0);
    made.value = value;
    return made;
  };
  const Step arrive = on(OpKind::kPhaseArrive, 0);
  for (std::uint32_t needed = 1; needed < 4; ++needed) {
    Program program;
    program.phases = {needed, 0};
    program.threads = {{arrive, arrive},
                       {arrive, step(OpKind::kPhaseWait, 0)},
                       {step(OpKind::kPhaseTest, 0), step(OpKind::kPhaseWait, 0)},
                       {arrive, step(OpKind::kPhaseTest, 1)}};
    judge.judge(program);
  }
  const std::pair<std::string, std::string> apart[] = {{"cast", "cast"}, {"pass", "pass"}, {"pass", "try-pass"}};
  for (const auto& pair : apart) EXPECT_GT(judge.pairs[pair].independent, 0u) << pair.first << " x " << pair.second;
  const std::pair<std::string, std::string> together[] = {{"cast", "deliver"}, {"count-down-ends", "try-pass!"}};
  for (const auto& pair : together) EXPECT_TRUE(judge.pairs[pair].order_matters) << pair.first << " x " << pair.second;
}

// Complete executions: swap independent neighbours and run again.
TEST(Dependence, SwappingNeighboursKeepsTheEndAndAllValues) {
  std::uint64_t swapped = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Program program = random_program(seed + 1'000'000);
    Random random(seed);
    State state = initial_state(program);
    std::vector<Transition> schedule;
    std::vector<OperationView> trace;
    CanonicalTrace canonical;
    for (std::vector<Transition> ways = enabled(program, state); !ways.empty(); ways = enabled(program, state)) {
      schedule.push_back(ways[random.below(ways.size())]);
      trace.push_back(execute(program, state, schedule.back()));
      canonical.add(trace.back());
    }
    for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
      // A signal's rank among the waiters may shift; the search above covers those.
      if (dependent(trace[i], trace[i + 1]) || trace[i].kind == OpKind::kCondSignal) continue;
      std::vector<Transition> other = schedule;
      std::swap(other[i], other[i + 1]);
      State again = initial_state(program);
      CanonicalTrace other_canonical;
      for (const Transition& way : other) other_canonical.add(execute(program, again, way));
      ASSERT_EQ(bytes_of(state), bytes_of(again)) << "seed " << seed << " at " << i;
      ASSERT_EQ(canonical.key(), other_canonical.key()) << "seed " << seed << " at " << i;
      ++swapped;
    }
  }
  EXPECT_GT(swapped, 1000u);
}

}  // namespace
}  // namespace ravel::toy
