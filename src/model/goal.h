// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A goal: behind the prefix of a plan a thread (the trigger's) waits until another thread has executed one operation
// (the target) that its own next operation conflicts with; then it goes on. Goals of a plan lie on a stack: while the
// thread of the first target runs, it may have to wait for a goal of its own. Plain data, as policy `fulfil' sees it;
// never in a plan file, since the schedule that came of it says it all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/sequence.h"

namespace ravel {

inline constexpr std::uint32_t kMaxGoals = 64;
inline constexpr std::uint32_t kMaxCreators = 4;

enum class GoalState : std::uint8_t {
  kSeeking,   // the target has not come yet
  kReached,   // it was executed; the trigger's operation is next, once it can be executed
  kReleased,  // ... and what it had entered was left again
  kStandsBy,  // the trigger cannot go on any more: whoever else can does
};

struct Goal {
  LastingName trigger = 0;  // thread whose pending operation waits
  LastingName target = 0;   // thread that is run
  // Not created yet: its creator, that one's creator, ...: the first that lives is run. 0 ends the list.
  LastingName creators[kMaxCreators] = {};
  LocationId place = 0;       // of the target operation
  LocationId user_place = 0;  // ... in the user's code, as ReachTable knows it; 0: unknown
  ContextId context = 0;      // ... in this calling context; 0: in any
  // The target enters what the trigger waits for: its thread is run on until it has left it again.
  std::uint8_t releases = 0;
  GoalState state = GoalState::kSeeking;
  OpKind kind = OpKind::kNone;  // of the target operation; kNone: any that conflicts
  std::uint8_t inside = 0;      // kReached: how often its thread is inside
};

// How a plan's goals come behind its prefix.
struct GoalRules {
  std::uint32_t count = 0;  // entries of SharedBlock::goals; the last is on top of the stack
  std::uint32_t from = 0;   // choices of the prefix that are left when the goals begin to count
  std::uint32_t reach = 0;  // not 0: a goal is dropped when there is no way to its target (StaticFacts::reach)
};

// What became of a goal.
enum class GoalFate : std::uint8_t {
  kNone,       // never came to it
  kFulfilled,  // the trigger's operation came right behind the target
  kForEver,    // the target came, and the trigger's operation can never come
  kBlocked,    // dropped: the target's thread waits for one that waits itself
  kKept,       // dropped: the target came, but the trigger cannot go on yet
  kEnded,      // dropped: the target's thread is over
  kBranch,     // dropped: there is no way to the target any more
  kSpins,      // dropped: the target's thread spins
  kCallee,     // dropped: another function was called than the one with the target
  kAddress,    // dropped: the target was executed, on something else
  kCount
};
inline constexpr std::string_view kGoalFateNames[] = {"none",  "fulfilled", "for-ever", "blocked", "kept",
                                                      "ended", "branch",    "spins",    "callee",  "address"};

inline constexpr bool is_dropped(GoalFate fate) {
  return fate >= GoalFate::kBlocked;
}

// Kinds of pairs, the most relevant first.
enum class OrderKind : std::uint8_t {
  kRw,     // accesses to memory, one of them a write
  kWn,     // a wait and a notification
  kWm,     // a woken waiter and an entry
  kWw,     // two woken waiters
  kMm,     // two entries of one lock (or of anything that is held)
  kOther,  // whatever else conflicts: units of a semaphore, a barrier, the end of the program
  kCount
};
inline constexpr std::string_view kOrderKindNames[] = {"RW", "WN", "WM", "WW", "MM", "other"};

// What a search by goals has done. `searches` 0: it was none.
struct ValueCounts {
  // Of all searches; what is behind them is of the last one.
  std::uint32_t searches = 0;    // started over, the first included
  std::uint32_t analysis = 0;    // milliseconds that the static facts took; the tool knows
  std::uint64_t all_points = 0;  // backtracking points made; what is made again after starting over counts once
  std::uint64_t all_runs = 0;    // of the program: complete, abandoned or redundant
  std::uint64_t all_events = 0;  // ... operations executed in them
  std::uint64_t planning = 0;    // nanoseconds: choosing plans, learning from executions
  std::uint64_t running = 0;     // ... everything else

  std::uint32_t pairs = 0;     // of access classes that are known to conflict
  std::uint32_t assumed = 0;   // further pairs, by static facts alone
  std::uint32_t added = 0;     // of `pairs`: conflicts that were seen and are no pair of the facts
  std::uint32_t kept = 0;      // of earlier runs, as far as they were used
  std::uint32_t refuted = 0;   // ... of these given up: too often about something else
  std::uint64_t points = 0;    // backtracking points made
  std::uint64_t priority = 0;  // goals that were run out of order, to be run again in their turn
  std::uint64_t priority_fulfilled = 0;
  std::uint32_t marked = 0;   // schedules about what is looked at first
  std::uint32_t slices = 0;   // that were searched apart; 0: orders are combined
  std::uint64_t asked = 0;    // questions whether a target can still be reached
  std::uint64_t cached = 0;   // ... answered before
  std::uint64_t failing = 0;  // value schedules that end in a defect
  LocationId skipped = 0;     // of a target that a branch, or the function that was called, has skipped; 0: none was
  LocationId entered = 0;     // ... where its thread was in that function; 0: a branch has skipped it
  std::uint32_t goals[static_cast<std::size_t>(OrderKind::kCount)] = {};  // tried, by kind
  std::uint64_t fates[static_cast<std::size_t>(GoalFate::kCount)] = {};   // ... by what became of them
};

struct GoalFates {
  GoalFate fates[kMaxGoals] = {};
  LocationId dropped_at = 0;  // where the target's thread stood
  std::uint32_t steps = 0;    // executed behind the prefix
  std::uint32_t asked = 0;    // whether a target can still be reached
  std::uint32_t cached = 0;   // ... and it was known
};

}  // namespace ravel
