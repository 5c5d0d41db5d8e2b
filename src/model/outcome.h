// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How one execution ended, and the kinds of findings. The names are part of the JSON interface.
#pragma once

#include <cstdint>
#include <string_view>

namespace ravel {

enum class OutcomeKind : std::uint8_t {
  kNotRun,
  kCompleted,  // ended by itself with the expected status
  kAssertion,
  kException,
  kSignal,
  kExitCode,
  kDeadlock,
  kStepLimit,
  kDataRace,
  kMisuse,
  kUseAfterFree,
  kDoubleFree,
  kHeapOverflow,
  // Named by detectors (detect/): they do not end an execution.
  kAtomicityViolation,
  kOrderViolation,
  kPotentialDeadlock,  // predicted; reported as kDeadlock once an execution was driven into it
  kLostSignal,
  kLivelock,
  kStarvation,
  kBlockedThread,
  kHang,       // no progress and not blocked in anything we control
  kDiverged,   // the prefix of the plan did not fit
  kKilled,     // somebody else killed the process (SIGKILL): not a defect of the program
  kInternal,   // our own bug
  kCut,        // neither ended nor repeated itself within its limits: says nothing about the program
  kHeld,       // whoever could go on is held back by a sequence
  kAbandoned,  // a goal of the plan cannot come true any more
  kCount
};

inline constexpr std::string_view kOutcomeNames[] = {"not-run",
                                                     "completed",
                                                     "assertion",
                                                     "exception",
                                                     "signal",
                                                     "exit-code",
                                                     "deadlock",
                                                     "step-limit",
                                                     "data-race",
                                                     "misuse",
                                                     "use-after-free",
                                                     "double-free",
                                                     "heap-overflow",
                                                     "atomicity-violation",
                                                     "order-violation",
                                                     "potential-deadlock",
                                                     "lost-signal",
                                                     "livelock",
                                                     "starvation",
                                                     "blocked-thread",
                                                     "hang",
                                                     "diverged",
                                                     "killed",
                                                     "internal",
                                                     "cut",
                                                     "held",
                                                     "abandoned"};
static_assert(sizeof(kOutcomeNames) / sizeof(kOutcomeNames[0]) == static_cast<std::size_t>(OutcomeKind::kCount));

inline constexpr std::string_view outcome_name(OutcomeKind kind) {
  return kOutcomeNames[static_cast<std::size_t>(kind)];
}

// Kinds that are a defect of the program.
inline constexpr bool is_defect(OutcomeKind kind) {
  return kind >= OutcomeKind::kAssertion && kind <= OutcomeKind::kHang;
}

// Kinds that are about a block of the heap (HeapRecord).
inline constexpr bool is_about_heap(OutcomeKind kind) {
  return kind == OutcomeKind::kUseAfterFree || kind == OutcomeKind::kDoubleFree || kind == OutcomeKind::kHeapOverflow;
}

}  // namespace ravel
