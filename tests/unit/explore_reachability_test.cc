// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reachability testing against unreduced search: every sequence, none twice. Counts are those of the catalogue
// (Carver, Tai, and a prototype: P15 and so on).
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "explore/race_sets.h"
#include "explore/sampling.h"
#include "support/random_program.h"
#include "support/search.h"

namespace ravel::testing {
namespace {

using toy::lock;
using toy::on;
using toy::Program;
using toy::unlock;

// A campaign, and the sequence of each of its executions: of every object its completions, and the choices.
struct Sequences : Search {
  Sequences(const char* strategy, const Program& program, std::uint64_t executions = 30'000)
      : Search(strategy, program) {
    block->campaign.base.points = PointsMode::kSync;
    block->campaign.iterations = executions;
    executor.at_end = [this](std::uint64_t, SharedBlock& shared) { see(shared); };
    run();
  }
  void see(SharedBlock& shared) {
    std::map<std::uint64_t, std::string> objects;
    std::map<std::uint64_t, std::string> ports;
    std::map<ThreadIndex, unsigned> numbers;
    for (std::uint64_t i = 0; i < shared.result.events.load(); ++i) {
      const Event& event = shared.ring[i];
      if (event.kind == OpKind::kChoice) {
        objects[event.thread] += " " + std::to_string(event.value);
      }
      if (!is_sequence_event(event.kind)) continue;
      std::string& list = objects[sequence_place(event.kind, place_of(event), event.value)];
      if (event.kind == OpKind::kDeliver) {
        const std::string message =
            " " + std::to_string(sender_of(event.value)) + "/" + std::to_string(event.value & 0xff);
        list += message;
        ports[place_of(event)] += message;
        continue;
      }
      list += " " + std::to_string(event.thread) + "#" + std::to_string(++numbers[event.thread]);
      if (event.kind == OpKind::kCondSignal) list += "->" + std::to_string(event.value & 0xff);
    }
    std::string key;
    for (const auto& [place, list] : objects) key += std::to_string(place) + ":" + list + "\n";
    std::string arrivals;
    for (const auto& [place, list] : ports) arrivals += std::to_string(place) + ":" + list + "\n";
    if (ran_to_its_end(shared.result.outcome)) deliveries.insert(arrivals);
    const bool held = shared.result.outcome == OutcomeKind::kHeld;
    suspects += held;
    deadlocks += shared.result.outcome == OutcomeKind::kDeadlock && !held;
    if (!held && !seen.insert(key).second) ++twice;
  }
  std::set<std::string> seen;
  std::set<std::string> deliveries;  // without what else is ordered
  unsigned twice = 0;
  unsigned suspects = 0;
  unsigned deadlocks = 0;
};

void expect_count(const Program& program, std::size_t count, unsigned deadlocks = 0) {
  Sequences search("reachability", program);
  EXPECT_TRUE(search.complete()) << search.block->progress.strategy_note;
  EXPECT_EQ(search.seen.size(), count);
  EXPECT_EQ(search.twice, 0u);
  EXPECT_EQ(search.deadlocks, deadlocks);
  EXPECT_EQ(search.executions(), count);
}

Program threads(std::vector<std::vector<toy::Step>> lists) {
  Program program;
  program.threads = std::move(lists);
  return program;
}
std::vector<toy::Step> times(unsigned n, std::vector<toy::Step> steps) {
  std::vector<toy::Step> out;
  for (; n != 0; --n) out.insert(out.end(), steps.begin(), steps.end());
  return out;
}

// P15: (NM)! / (M!)^N.
TEST(Reachability, OneMutex) {
  const std::vector<toy::Step> once = {lock(0), unlock(0)};
  expect_count(threads({once, once}), 2);
  expect_count(threads({once, once, once}), 6);
  expect_count(threads({once, once, once, once}), 24);
  expect_count(threads({times(2, once), times(2, once)}), 6);
  expect_count(threads({times(3, once), times(3, once)}), 20);
  expect_count(threads({times(2, once), times(2, once), times(2, once)}), 90);
}

// P16 to P19.
TEST(Reachability, SeveralMutexes) {
  const std::vector<toy::Step> a = {lock(0), unlock(0)};
  const std::vector<toy::Step> b = {lock(1), unlock(1)};
  expect_count(threads({a, a, b, b}), 4);
  const auto both = [](std::uint32_t first, std::uint32_t second) {
    return std::vector<toy::Step>{lock(first), lock(second), unlock(second), unlock(first)};
  };
  expect_count(threads({both(0, 1), both(1, 0)}), 3, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(2, 0)}), 7, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(2, 3), both(3, 0)}), 15, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(2, 3), both(3, 4), both(4, 0)}), 31, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(0, 2)}), 6);
}

// P25 and P31.
TEST(Reachability, Semaphores) {
  const std::vector<toy::Step> wait = {on(OpKind::kSemWait, 0)};
  const std::vector<toy::Step> post = {on(OpKind::kSemPost, 0)};
  const std::vector<toy::Step> both = {on(OpKind::kSemWait, 0), on(OpKind::kSemPost, 0)};
  Program one = threads({post, wait});
  expect_count(one, 1);
  one.semaphores[0] = 1;
  expect_count(one, 2);
  expect_count(threads({post, post, times(2, wait)}), 4);
  Program permits = threads({both, both});
  permits.semaphores[0] = 1;
  expect_count(permits, 2);
  permits.semaphores[0] = 2;
  expect_count(permits, 6);
}

// P32: a wait without a predicate.
TEST(Reachability, LostWakeup) {
  toy::Step wait = on(OpKind::kCondWait, 0, 0);
  expect_count(threads({{lock(0), wait, unlock(0)}, {lock(0), on(OpKind::kCondSignal, 0), unlock(0)}}), 2, 1);
}

std::string text_of(const Program& program) {
  std::string text;
  for (const auto& list : program.threads) {
    for (const toy::Step& step : list) {
      text += " " + std::string(op_name(step.kind)) + "(" + std::to_string(step.at) + "," +
              std::to_string(step.second) + (step.timed ? ",timed" : "") +
              (step.flow != toy::Flow::kNext ? ",flow" : "") + ")";
    }
    text += "\n";
  }
  return text;
}

struct Agreement {
  unsigned programs = 0;
  unsigned wrong = 0;  // a sequence is missing, comes twice, or cannot be forced
  std::uint64_t sequences = 0;
  unsigned suspects = 0;
};
enum class Until { kEnd, kFirstWrong };
Agreement agreement(std::uint64_t first, std::uint64_t last, Until until = Until::kEnd,
                    Program (*make)(std::uint64_t) = &toy::random_correct_program) {
  Agreement out;
  for (std::uint64_t seed = first; seed <= last && (until == Until::kEnd || out.wrong == 0); ++seed) {
    const Program program = make(seed);
    Sequences all("dfs", program, 3'000);
    if (!all.complete() || all.seen.size() < 2) continue;
    Sequences once("reachability", program, 4 * all.seen.size() + 100);
    const std::string note = once.block->progress.strategy_note;
    const bool leaves_out = note.find("use dpor") != std::string::npos || note.find("too long") != std::string::npos;
    if (leaves_out || note.find("other threads") != std::string::npos) continue;
    ++out.programs;
    out.sequences += all.seen.size();
    out.suspects += once.suspects;
    const bool right = once.complete() && once.seen == all.seen && once.twice == 0;
    out.wrong += !right;
    if (!right && std::getenv("RAVEL_SHOW_WRONG") != nullptr) {
      ADD_FAILURE() << "program " << seed << ": " << once.seen.size() << " of " << all.seen.size() << ", twice "
                    << once.twice << ", suspects " << once.suspects << ", " << note << "\n"
                    << text_of(program);
    }
  }
  return out;
}

// How many of them; `make test-long' asks for more.
std::uint64_t programs(std::uint64_t usual) {
  const char* const wanted = std::getenv("RAVEL_REACHABILITY_PROGRAMS");
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

TEST(Reachability, RandomProgramsHaveEverySequenceOnce) {
  const Agreement all = agreement(1, programs(2'000));
  EXPECT_EQ(all.wrong, 0u);
  EXPECT_GT(all.programs, 300u);
  RecordProperty("programs", static_cast<int>(all.programs));
  RecordProperty("sequences", static_cast<int>(all.sequences));
}

// P4: a server of two slots, one producer and one consumer of three items; all that it can be open to, in order.
TEST(Reachability, Rendezvous) {
  const auto round = [](std::uint32_t ports) {
    toy::Step open = on(OpKind::kOpen, 0);
    open.value = ports;
    return std::vector<toy::Step>{open, on(OpKind::kAccept, 0)};
  };
  const auto calls = [](std::uint32_t port, unsigned n) { return times(n, {on(OpKind::kMeet, 0, port)}); };
  expect_count(threads({times(2, round(3)), calls(0, 1), calls(1, 1)}), 2);
  expect_count(threads({times(4, round(3)), calls(0, 2), calls(1, 2)}), 6);
  expect_count(threads({times(2, round(1)), calls(0, 1), calls(0, 1), calls(1, 1)}), 2, 2);
  // Two that each receive before they send to the other.
  toy::Step open = on(OpKind::kOpen, 1);
  open.value = 1;
  std::vector<toy::Step> first = round(1);
  first.push_back(on(OpKind::kMeet, 1, 0));
  expect_count(threads({first, {open, on(OpKind::kAccept, 1), on(OpKind::kMeet, 0, 0)}}), 1, 1);
}

// P21 and P43.
TEST(Reachability, Queues) {
  const std::vector<toy::Step> put = {on(OpKind::kPut, 0)};
  const std::vector<toy::Step> take = {on(OpKind::kTake, 0)};
  expect_count(threads({put, put, times(2, take)}), 2);
  expect_count(threads({times(2, put), times(2, put), times(4, take)}), 6);
  expect_count(threads({times(2, put), times(2, put), times(2, put), times(6, take)}), 90);
  expect_count(
      threads(
          {{on(OpKind::kPut, 0), on(OpKind::kPut, 1)}, {on(OpKind::kTake, 1), on(OpKind::kPut, 0)}, times(2, take)}),
      1);
  expect_count(threads({put, {on(OpKind::kTryTake, 0)}}), 2);
}

// P21 to P23, P30 and P43, by network (FIFO for each sender) and unordered.
TEST(Reachability, Parcels) {
  const auto cast = [](std::uint32_t to, std::uint16_t rules) { return on(OpKind::kCast, to, rules); };
  const auto get = [](std::uint32_t from, std::uint16_t rules) { return on(OpKind::kDeliver, from, rules); };
  struct Row {
    std::uint16_t rules;
    std::size_t two_of_two, causal, figure;
  };
  for (const Row& row : {Row{kInOrder, 6, 2, 60}, Row{0, 24, 2, 600}}) {
    const std::vector<toy::Step> send = {cast(0, row.rules)};
    const std::vector<toy::Step> receive = {get(0, row.rules)};
    expect_count(threads({send, send, times(2, receive)}), 2);
    expect_count(threads({send, send, send, times(3, receive)}), 6);
    expect_count(threads({times(2, send), times(2, send), times(4, receive)}), row.two_of_two);
    // A message that causes another one may arrive behind it.
    expect_count(
        threads({{cast(0, row.rules), cast(1, row.rules)}, {get(1, row.rules), cast(0, row.rules)}, times(2, receive)}),
        row.causal);
    // One that is never received could have been.
    expect_count(threads({send, send, receive}), 2);
    // Figure 7.24.
    std::vector<toy::Step> second = {get(0, row.rules), cast(1, row.rules)};
    const std::vector<toy::Step> rest = times(4, receive);
    second.insert(second.end(), rest.begin(), rest.end());
    expect_count(threads({times(3, send), second, {cast(0, row.rules), get(1, row.rules), cast(0, row.rules)}, send}),
                 row.figure);
  }
  // What waits for a message that never comes.
  expect_count(threads({{cast(0, 0)}, {get(0, 0), get(0, 0)}}), 1, 1);
}

// Three arrivals at a latch and one that waits; a phase that is looked at.
TEST(Reachability, Phases) {
  const std::vector<toy::Step> arrive = {on(OpKind::kPhaseArrive, 0)};
  const std::vector<toy::Step> wait = {on(OpKind::kPhaseWait, 0)};
  Program latch = threads({arrive, arrive, arrive, wait});
  latch.phases = {3, 0};
  expect_count(latch, 6);
  Program looks = threads({arrive, {on(OpKind::kPhaseTest, 0)}});
  looks.phases = {1, 0};
  expect_count(looks, 2);
}

TEST(Reachability, RandomParcelsHaveEverySequenceOnce) {
  const Agreement all = agreement(1, programs(250), Until::kEnd, &toy::random_parcel_program);
  EXPECT_EQ(all.wrong, 0u);
  EXPECT_GT(all.programs, 100u);
  RecordProperty("programs", static_cast<int>(all.programs));
  RecordProperty("sequences", static_cast<int>(all.sequences));
  reachability_rules.in_order = false;
  EXPECT_GT(agreement(1, 250, Until::kFirstWrong, &toy::random_parcel_program).wrong, 0u);
  reachability_rules.in_order = true;
}

// dpor meets every order of arrivals; posts of a semaphore commute, so not every sequence.
TEST(Reachability, RandomParcelsUnderDpor) {
  unsigned programs = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const Program program = toy::random_parcel_program(seed);
    Sequences all("dfs", program, 3'000);
    if (!all.complete()) continue;
    Sequences traces("dpor", program, 4'000);
    ++programs;
    EXPECT_TRUE(traces.complete()) << seed << ": " << traces.block->progress.strategy_note;
    EXPECT_EQ(traces.deliveries, all.deliveries) << "program " << seed << "\n" << text_of(program);
  }
  EXPECT_GT(programs, 40u);
}

TEST(Reachability, RandomMessagesHaveEverySequenceOnce) {
  const Agreement all = agreement(1, programs(1'000), Until::kEnd, &toy::random_message_program);
  EXPECT_EQ(all.wrong, 0u);
  EXPECT_GT(all.programs, 300u);
  RecordProperty("programs", static_cast<int>(all.programs));
  RecordProperty("sequences", static_cast<int>(all.sequences));
}

// dpor, against all interleavings.
TEST(Reachability, RandomMessagesHaveEveryTraceOnceUnderDpor) {
  unsigned programs = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Program program = toy::random_message_program(seed);
    Sequences all("dfs", program, 3'000);
    if (!all.complete()) continue;
    Sequences traces("dpor", program, 4'000);
    ++programs;
    EXPECT_TRUE(traces.complete()) << seed;
    EXPECT_EQ(traces.executions(), toy::count_traces(program).traces) << "program " << seed << "\n" << text_of(program);
  }
  EXPECT_GT(programs, 200u);
}

// Each rule is needed: without it some program is wrong.
TEST(Reachability, EveryRuleIsNeeded) {
  int number = 0;
  for (bool ReachabilityRules::*rule :
       {&ReachabilityRules::old_calls, &ReachabilityRules::calls_left, &ReachabilityRules::blacken_past}) {
    reachability_rules.*rule = false;
    EXPECT_GT(agreement(1, 2'000, Until::kFirstWrong).wrong, 0u) << "rule " << number;
    reachability_rules.*rule = true;
    ++number;
  }
}

TEST(Reachability, EveryRuleIsNeededForMessages) {
  struct Row {
    bool ReachabilityRules::*rule;
    std::uint64_t from;  // seed; a program that shows it is not far
  };
  for (const Row& row : {Row{&ReachabilityRules::old_calls, 1}, Row{&ReachabilityRules::calls_left, 1},
                         Row{&ReachabilityRules::blacken_past, 1}, Row{&ReachabilityRules::given_back, 1'270}}) {
    EXPECT_EQ(agreement(row.from, row.from + 20, Until::kEnd, &toy::random_message_program).wrong, 0u);
    reachability_rules.*row.rule = false;
    EXPECT_GT(agreement(row.from, row.from + 1'000, Until::kFirstWrong, &toy::random_message_program).wrong, 0u)
        << "rule from seed " << row.from;
    reachability_rules.*row.rule = true;
  }
}

}  // namespace
}  // namespace ravel::testing
