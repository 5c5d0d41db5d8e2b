// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reachability testing of random programs against unreduced search: every sequence, none twice, by one process and by
// several; and each of its rules taken away, which must be noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "explore/reachability_rules.h"
#include "semantics/effects.h"
#include "support/random_program.h"
#include "support/sequences.h"

namespace ravel::testing {
namespace {

using toy::lock;
using toy::on;
using toy::Program;
using toy::unlock;

std::string text_of(const Program& program) {
  std::string text;
  for (const auto& list : program.threads) {
    for (const toy::Step& step : list) {
      text += " " + std::string(op_name(step.kind)) + "(" + std::to_string(step.at) + "," +
              std::to_string(step.second) + (step.timed ? ",timed" : "") +
              (step.duration != 0 ? "," + std::to_string(step.duration) : "") +
              (step.flow != toy::Flow::kNext ? ",flow" : "") + ")";
    }
    text += "\n";
  }
  return text;
}

// Plain accesses are no points here: where they conflict with those of another thread, nothing orders or sees them.
bool has_plain_conflict(const Program& program) {
  const auto meet = [](const toy::Step& a, const toy::Step& b) {
    const bool plain = op_class(a.kind) == OpClass::kPlain || op_class(b.kind) == OpClass::kPlain;
    const bool writes = has_write_effect(a.kind, 0) || has_write_effect(b.kind, 0);
    return plain && writes && is_memory_access(a.kind) && is_memory_access(b.kind) && a.at < b.at + b.size &&
           b.at < a.at + a.size;
  };
  const auto conflict = [&](const std::vector<toy::Step>& one, const std::vector<toy::Step>& other) {
    return std::any_of(one.begin(), one.end(), [&](const toy::Step& step) {
      return std::any_of(other.begin(), other.end(), [&](const toy::Step& next) { return meet(step, next); });
    });
  };
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t u = t + 1; u < program.threads.size(); ++u) {
      if (conflict(program.threads[t], program.threads[u])) return true;
    }
  }
  return false;
}

struct Agreement {
  unsigned programs = 0;
  unsigned wrong = 0;  // a sequence is missing, comes twice, or cannot be forced
  std::uint64_t sequences = 0;
  unsigned suspects = 0;
  unsigned with_atomics = 0;  // programs
};
enum class Until { kEnd, kFirstWrong };
Agreement agreement(std::uint64_t first, std::uint64_t last, Until until = Until::kEnd,
                    Program (*make)(std::uint64_t) = &toy::random_correct_program) {
  Agreement out;
  for (std::uint64_t seed = first; seed <= last && (until == Until::kEnd || out.wrong == 0); ++seed) {
    const Program program = make(seed);
    if (has_plain_conflict(program)) continue;
    Sequences all("dfs", program, 3'000);
    if (!all.complete()) continue;
    Sequences once("reachability", program, 3'100);
    if (!once.atomics.empty()) {
      Sequences with_atomics("dfs", program, 3'000, 0, 1, once.atomics);
      all.seen = with_atomics.seen;
    }
    if (all.seen.size() < 2) continue;
    const std::string note = once.block->progress.strategy_note;
    const bool leaves_out = note.find("use dpor") != std::string::npos || note.find("too long") != std::string::npos;
    if (leaves_out || note.find("other threads") != std::string::npos) continue;
    ++out.programs;
    out.sequences += all.seen.size();
    out.suspects += once.suspects;
    // The engine counts what the test wrote out.
    const bool counted = !once.atomics.empty() || (all.block->progress.sequences.load() == all.seen.size() &&
                                                   once.block->progress.sequences.load() == once.seen.size());
    out.with_atomics += !once.atomics.empty();
    const bool right = once.complete() && once.seen == all.seen && once.twice == 0 && counted;
    out.wrong += !right;
    if (!right && std::getenv("RAVEL_SHOW_WRONG") != nullptr) {
      ADD_FAILURE() << "program " << seed << ": " << once.seen.size() << " of " << all.seen.size() << ", twice "
                    << once.twice << ", suspects " << once.suspects << ", " << note << "\n"
                    << text_of(program);
    }
  }
  return out;
}

// Which of them; `make test-long' asks for more.
std::uint64_t number_in(const char* variable, std::uint64_t usual) {
  const char* const wanted = std::getenv(variable);
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}
std::uint64_t first_program() {
  return number_in("RAVEL_REACHABILITY_FROM", 1);
}
std::uint64_t programs(std::uint64_t usual) {
  return number_in("RAVEL_REACHABILITY_PROGRAMS", usual);
}

// A kind of programs has every sequence once: the usual number of them, of which at least so many can be compared.
void expect_every_sequence_once(Program (*make)(std::uint64_t), std::uint64_t usual, unsigned compared,
                                unsigned with_atomics) {
  const std::uint64_t last = first_program() - 1 + programs(usual);
  const Agreement all = agreement(first_program(), last, Until::kEnd, make);
  EXPECT_EQ(all.wrong, 0u);
  if (last >= usual) {
    EXPECT_GE(all.programs, compared);
    EXPECT_GE(all.with_atomics, with_atomics);
  }
  ::testing::Test::RecordProperty("programs", static_cast<int>(all.programs));
  ::testing::Test::RecordProperty("sequences", static_cast<int>(all.sequences));
  ::testing::Test::RecordProperty("with-atomics", static_cast<int>(all.with_atomics));
}

TEST(ReachabilityFuzz, RandomProgramsHaveEverySequenceOnce) {
  expect_every_sequence_once(&toy::random_correct_program, 2'000, 500, 60);
}

TEST(ReachabilityFuzz, RandomParcelsHaveEverySequenceOnce) {
  expect_every_sequence_once(&toy::random_parcel_program, 300, 120, 0);
}

// dpor meets every order of arrivals; posts of a semaphore commute, so not every sequence.
TEST(ReachabilityFuzz, RandomParcelsUnderDpor) {
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

TEST(ReachabilityFuzz, RandomMonitorsHaveEverySequenceOnce) {
  expect_every_sequence_once(&toy::random_monitor_program, 700, 560, 0);
}

TEST(ReachabilityFuzz, RandomTimeoutsHaveEverySequenceOnce) {
  expect_every_sequence_once(&toy::random_timed_program, 1'000, 400, 0);
}

// dpor with fair time. A thread whose time is over may wait for its mutex while more time passes.
TEST(ReachabilityFuzz, RandomTimeoutsUnderDpor) {
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= programs(300); ++seed) {
    const Program program = toy::random_timed_program(seed);
    Sequences all("dfs", program, 3'000);
    Sequences traces("dpor", program, 4'000);
    if (!all.complete() || !traces.complete()) continue;
    ++compared;
    EXPECT_EQ(traces.ends, all.ends) << "program " << seed << "\n" << text_of(program);
  }
  EXPECT_GT(compared, 200u);
}

TEST(ReachabilityFuzz, RandomMessagesHaveEverySequenceOnce) {
  expect_every_sequence_once(&toy::random_message_program, 1'500, 720, 0);
}

// dpor, against all interleavings.
TEST(ReachabilityFuzz, RandomMessagesHaveEveryTraceOnceUnderDpor) {
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

TEST(ReachabilityFuzz, RandomSelectsHaveEverySequenceOnce) {
  expect_every_sequence_once(&toy::random_select_program, 1'000, 500, 0);
}

TEST(ReachabilityFuzz, RandomSelectsHaveEveryTraceOnceUnderDpor) {
  unsigned programs = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Program program = toy::random_select_program(seed, true);
    Sequences all("dfs", program, 3'000);
    if (!all.complete()) continue;
    Sequences traces("dpor", program, 4'000);
    ++programs;
    EXPECT_TRUE(traces.complete()) << seed;
    EXPECT_EQ(traces.executions(), toy::count_traces(program).traces) << "program " << seed << "\n" << text_of(program);
    EXPECT_EQ(traces.ends, all.ends) << "program " << seed << "\n" << text_of(program);
  }
  EXPECT_GT(programs, 200u);
}

// What several processes run, each without knowing of the others: no sequence twice, all of them together.
TEST(ReachabilityFuzz, SeveralProcessesShareTheRows) {
  unsigned compared = 0;
  unsigned at_work = 0;  // processes that had something of their own
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Program program = seed % 2 == 0 ? toy::random_monitor_program(seed) : toy::random_message_program(seed);
    Sequences alone("reachability", program, 4'000);
    if (!alone.complete() || alone.seen.size() < 4) continue;
    ++compared;
    for (const std::uint32_t shards : {2u, 5u}) {
      std::set<std::string> together;
      std::uint64_t executions = 0;
      for (std::uint32_t shard = 0; shard < shards; ++shard) {
        Sequences part("reachability", program, 8'000, shard, shards);
        EXPECT_TRUE(part.complete()) << "program " << seed << ", " << part.block->progress.strategy_note;
        executions += part.executions();
        at_work += part.executions() != 0;
        together.insert(part.seen.begin(), part.seen.end());
      }
      EXPECT_EQ(executions, alone.executions()) << "program " << seed << ", " << shards << " processes";
      EXPECT_EQ(together, alone.seen) << "program " << seed;
    }
  }
  EXPECT_GT(compared, 60u);
  EXPECT_GT(at_work, 3 * compared);
}

// Each thread list first, in every order: the default policy runs the first thread first, so these are as many first
// executions.
std::vector<Program> with_other_first_runs(const Program& program) {
  std::vector<Program> out;
  std::vector<std::size_t> order(program.threads.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    Program other = program;
    for (std::size_t i = 0; i < order.size(); ++i) other.threads[i] = program.threads[order[i]];
    out.push_back(other);
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

// A binary semaphore is two: of permits and of room.
std::vector<toy::Step> acquire(std::uint32_t permits) {
  return {on(OpKind::kSemWait, permits), on(OpKind::kSemPost, permits + 1)};
}
std::vector<toy::Step> release(std::uint32_t permits) {
  return {on(OpKind::kSemWait, permits + 1), on(OpKind::kSemPost, permits)};
}
std::vector<toy::Step> joined(std::vector<std::vector<toy::Step>> parts) {
  std::vector<toy::Step> out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

// P35 of the catalogue: an object that would receive in any case. Semaphore 0 counts, 1 and 2 are a binary one.
Program recollected() {
  const std::vector<toy::Step> pass = {lock(0), unlock(0)};
  Program program;
  program.threads = {joined({pass, {on(OpKind::kSemWait, 0), on(OpKind::kSemPost, 0)}, pass}),
                     joined({pass, release(1), pass}), joined({acquire(1), release(1), {on(OpKind::kSemWait, 0)}})};
  program.semaphores = {1, 1, 0, 0};
  return program;
}
// One of the few in which executions that do not count lead to others that do.
Program suspected() {
  const std::vector<toy::Step> pass = {lock(0), unlock(0)};
  const std::vector<toy::Step> post = {on(OpKind::kSemPost, 0)};
  Program program;
  program.threads = {joined({post, pass}), joined({release(1), post, acquire(1), pass}),
                     joined({{on(OpKind::kSemWait, 0)}, acquire(1), post})};
  program.semaphores = {0, 0, 1, 0};
  return program;
}

bool is_right(const Program& program) {
  Sequences all("dfs", program, 200'000);
  Sequences once("reachability", program, 4 * all.seen.size() + 100);
  return all.complete() && once.complete() && once.seen == all.seen && once.twice == 0;
}

TEST(ReachabilityFuzz, TheFirstExecutionDoesNotMatter) {
  for (const Program& program : {recollected(), suspected()}) {
    for (const Program& other : with_other_first_runs(program)) EXPECT_TRUE(is_right(other)) << text_of(other);
  }
}

// Of random programs: with the last thread first, and so on.
TEST(ReachabilityFuzz, RandomProgramsFromOtherFirstExecutions) {
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Program program = seed % 3 == 0   ? toy::random_monitor_program(seed)
                      : seed % 3 == 1 ? toy::random_message_program(seed)
                                      : toy::random_correct_program(seed);
    Sequences first("reachability", program, 1'000);
    Sequences all("dfs", program, 1'000, 0, 1, first.atomics);
    if (has_plain_conflict(program) || !all.complete() || !first.complete() || all.seen.size() < 4) continue;
    for (std::size_t i = 1; i < program.threads.size(); ++i) {
      std::rotate(program.threads.begin(), program.threads.begin() + 1, program.threads.end());
      ++compared;
      Sequences other("reachability", program, 1'000);
      EXPECT_TRUE(other.complete()) << "program " << seed << ", " << other.block->progress.strategy_note;
      EXPECT_EQ(other.seen.size(), all.seen.size()) << "program " << seed << "\n" << text_of(program);
      EXPECT_EQ(other.twice, 0u) << "program " << seed << "\n" << text_of(program);
    }
  }
  EXPECT_GT(compared, 60u);
}

class WithoutRule {
 public:
  explicit WithoutRule(bool ReachabilityRules::*rule) : rule_(rule) { reachability_rules.*rule_ = false; }
  ~WithoutRule() { reachability_rules.*rule_ = true; }
  WithoutRule(const WithoutRule&) = delete;
  WithoutRule& operator=(const WithoutRule&) = delete;

 private:
  bool ReachabilityRules::*rule_;
};

struct RuleRow {
  const char* name;
  bool ReachabilityRules::*rule;
  Program (*make)(std::uint64_t);
  std::uint64_t from;  // seed; a program that shows it is not far
};
constexpr RuleRow kRuleRows[] = {
    {"old calls", &ReachabilityRules::old_calls, &toy::random_correct_program, 40},
    {"old calls", &ReachabilityRules::old_calls, &toy::random_message_program, 1},
    {"calls left", &ReachabilityRules::calls_left, &toy::random_correct_program, 40},
    {"calls left", &ReachabilityRules::calls_left, &toy::random_message_program, 30},
    {"blackening", &ReachabilityRules::blacken_past, &toy::random_correct_program, 415},
    {"blackening", &ReachabilityRules::blacken_past, &toy::random_message_program, 465},
    {"control past", &ReachabilityRules::control_past, &toy::random_message_program, 60},
    {"control past", &ReachabilityRules::control_past, &toy::random_monitor_program, 1},
    {"leave-merge", &ReachabilityRules::leave_merge, &toy::random_monitor_program, 1},
    {"reply-merge", &ReachabilityRules::reply_merge, &toy::random_message_program, 45},
    {"opened", &ReachabilityRules::opened, &toy::random_message_program, 1'270},
    {"choice in the past", &ReachabilityRules::choice_past, &toy::random_monitor_program, 1},
    {"time past", &ReachabilityRules::time_past, &toy::random_timed_program, 1},
    {"withdrawal", &ReachabilityRules::withdrawal, &toy::random_timed_program, 1},
    {"FIFO", &ReachabilityRules::in_order, &toy::random_parcel_program, 1},
};

// Each rule is needed: without it some program is wrong, in which nothing is wrong with it.
TEST(ReachabilityFuzz, EveryRuleIsNeeded) {
  for (const RuleRow& row : kRuleRows) {
    EXPECT_EQ(agreement(row.from, row.from + 15, Until::kEnd, row.make).wrong, 0u) << row.name;
    const WithoutRule without(row.rule);
    EXPECT_GT(agreement(row.from, row.from + 1'000, Until::kFirstWrong, row.make).wrong, 0u) << row.name;
  }
}

// The same without a hint where to look: how many of the first programs are wrong. Of 2 000 (`make test-long') some are
// for every rule.
TEST(ReachabilityFuzz, RulesOverAllSeeds) {
  const std::uint64_t last = programs(20);
  unsigned wrong = 0;
  for (const RuleRow& row : kRuleRows) {
    const WithoutRule without(row.rule);
    const unsigned now = agreement(1, last, Until::kEnd, row.make).wrong;
    EXPECT_TRUE(now > 0 || last < 2'000) << row.name;
    wrong += now;
    std::printf("without %s: %u of %u programs wrong\n", row.name, now, static_cast<unsigned>(last));
  }
  EXPECT_GT(wrong, 0u);
}

unsigned programs_that_repeat(Program (*make)(std::uint64_t), std::uint64_t last) {
  unsigned repeat = 0;
  for (std::uint64_t seed = 1; seed <= last; ++seed) repeat += Sequences("reachability", make(seed), 2'000).twice != 0;
  return repeat;
}

// Recollection shows in programs that are too large for unreduced search, mostly: none repeats a sequence with it.
TEST(ReachabilityFuzz, RulesOverAllSeedsRecollection) {
  const std::uint64_t last = programs(20);
  unsigned without = 0;
  for (Program (*make)(std::uint64_t) :
       {&toy::random_message_program, &toy::random_monitor_program, &toy::random_parcel_program}) {
    EXPECT_EQ(programs_that_repeat(make, last), 0u);
    const WithoutRule rule(&ReachabilityRules::recollection);
    without += programs_that_repeat(make, last);
  }
  std::printf("without recollection: %u of %u programs repeat a sequence\n", without, static_cast<unsigned>(3 * last));
  EXPECT_TRUE(without > 0 || last < 500);
}

// Without it some sequences come twice: of programs with too many interleavings for unreduced search, mostly.
TEST(ReachabilityFuzz, RecollectionIsNeeded) {
  for (const Program& program : {toy::random_message_program(38), toy::random_message_program(472),
                                 toy::random_monitor_program(447), toy::random_parcel_program(123)}) {
    Sequences with("reachability", program);
    EXPECT_TRUE(with.complete());
    EXPECT_EQ(with.twice, 0u) << text_of(program);
    const WithoutRule without(&ReachabilityRules::recollection);
    EXPECT_GT(Sequences("reachability", program).twice, 0u) << text_of(program);
  }
}

// Hardly any random program notices this one.
TEST(ReachabilityFuzz, SuspectsAreNeeded) {
  const WithoutRule without(&ReachabilityRules::suspects);
  unsigned wrong = 0;
  for (const Program& other : with_other_first_runs(suspected())) wrong += !is_right(other);
  EXPECT_GT(wrong, 0u);
}

}  // namespace
}  // namespace ravel::testing
