// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// PlanSpec: everything that decides one execution, as plain data: a prefix of choices, the policy that goes on after
// it, seed and limits. It lives in shared memory (wire/) and, with names instead of numbers, in plan files
// (model/plan_file.h). Running the same PlanSpec of the same program twice gives the same trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/event.h"
#include "model/goal.h"
#include "model/sequence.h"

namespace ravel {

// Which operations are scheduling points. Synchronisation and atomics always are.
enum class PointsMode : std::uint8_t {
  kSync,    // nothing more
  kRacy,    // plain accesses at locations where a race has been seen
  kShared,  // plain accesses at locations that touched memory another thread writes too
  kAll,     // every plain access
};
inline constexpr std::string_view kPointsNames[] = {"sync", "racy", "shared", "all"};
// Of a campaign: racy ones, and members of static pairs from the start. Its plans list them, as those of racy ones do.
inline constexpr std::string_view kPairPointsName = "pairs";

// When virtual time passes. A time-out of a wait comes only when nobody can run, unless it is adversarial.
enum class TimeoutMode : std::uint8_t {
  kFair,         // a sleep ends when nobody can run, too: what exhaustive searches can reason about
  kAdversarial,  // any time-out may come first
  kPassing,      // a sleep also ends after a bounded number of steps of others: fair time of all other strategies
  kShortSleeps,  // ... after very few, however long it is: a sleep is no order. Time-outs of waits are as fair as ever
};
inline constexpr std::string_view kTimeoutNames[] = {"fair", "adversarial", "passing", "short-sleeps"};
inline constexpr std::size_t kTimeoutChoices = 2;  // of them, what a user chooses between

// What an access through a volatile lvalue is taken for: to the language it is a plain access, but code older than
// std::atomic, or written for one compiler, synchronises by it.
enum class VolatileMode : std::uint8_t { kPlain, kRelaxed, kAcqRel };
inline constexpr std::string_view kVolatileNames[] = {"plain", "relaxed", "acq-rel"};

// Whom a signal of a condition variable wakes: POSIX says that it may be any, most libraries take the first.
enum class WaiterMode : std::uint8_t { kAny, kFifo };
inline constexpr std::string_view kWaiterNames[] = {"any", "fifo"};

// Bits of PlanSpec::faults.
inline constexpr std::uint32_t kFaultSpuriousWakeup = 1u << 0;  // a condition or futex wait returns without a signal
inline constexpr std::uint32_t kFaultWeakCas = 1u << 1;         // compare_exchange_weak fails although the values agree
inline constexpr std::uint32_t kFaultTryLock = 1u << 2;         // a try operation fails although the lock is free
inline constexpr std::uint32_t kFaultEagain = 1u << 3;          // pthread_create has no resources
inline constexpr std::uint32_t kFaultEintr = 1u << 4;           // a blocking call is interrupted by a signal
inline constexpr std::uint32_t kFaultAlloc = 1u << 5;           // no memory
inline constexpr std::string_view kFaultNames[] = {"spurious-wakeup", "weak-cas", "try-lock",
                                                   "eagain",          "eintr",    "alloc"};  // by bit

enum class PolicyKind : std::uint8_t {
  kRunOn,       // no preemption; `seed` decides the order of threads (0: lowest index first)
  kRandomWalk,  // uniform choice at every decision
  kPct,         // priorities with depth-1 change points
  kPos,         // partial order sampling
  kPreempt,     // run-on with forced switches at the decisions listed
  kPark,        // random, but threads at the places listed wait until nobody else can go on
  kSurw,        // uniform over the orders of the operations at the places listed
  kPeriod,      // the threads in turn, each a part of its steps; `depth` rounds
  kReadsFrom,   // POS that steers towards what reads are to see
  kNoise,       // run-on, with threads held back by chance (NoiseSpec)
  kGuided,      // towards the next place of a sequence (model/guide.h). Never in a file: the schedule says it all
  kSliced,      // some threads at some places, the others when nobody of them can go on (model/slice.h). Likewise
  kFulfil,      // the goals of the plan (model/goal.h), then run-on. Never in a file, likewise
};
inline constexpr std::string_view kPolicyNames[] = {"run-on", "random", "pct",    "pos",        "preempt",
                                                    "park",   "surw",   "period", "reads-from", "noise",
                                                    "guided", "sliced", "fulfil"};

// They need what the tool knows of the program (model/guide.h).
inline constexpr bool is_guided(PolicyKind kind) {
  return kind == PolicyKind::kGuided || kind == PolicyKind::kSliced;
}

inline constexpr unsigned kMaxForcedSwitches = 4;
inline constexpr unsigned kMaxParkPlaces = 8;

struct ForcedSwitch {
  std::uint32_t decision = 0;  // index of the decision (only decisions with two or more options count)
  std::uint32_t rank = 0;      // which of the other enabled threads, modulo their number
};

inline constexpr unsigned kMaxReadsFrom = 4;
inline constexpr unsigned kMaxCounted = 16;

// What an operation at one place is to see: the last write (of a lock and the like, the last operation) there was at
// `write`, 0 being none at all; or was not.
struct ReadsFrom {
  LocationId read = 0;  // 0 ends a list
  LocationId write = 0;
  std::uint32_t avoid = 0;
};

// Noise (kNoise): how long a thread that is disturbed is not chosen, counted in decisions, while another can run.
enum class NoiseSeeding : std::uint8_t {
  kYield,       // `strength`
  kSleep,       // 1 to `strength`; so for the next two, which differ on real threads only
  kWait,        //
  kBusyWait,    //
  kSynchYield,  // as kYield, one thread after the other
  kMixed,       // any of these, drawn each time
};
inline constexpr std::string_view kSeedingNames[] = {"yield", "sleep", "wait", "busyWait", "synchYield", "mixed"};

// Before which operations there is noise.
enum class NoisePlaces : std::uint8_t {
  kEverywhere,
  kVariable,         // at the places of PolicySpec::park_at
  kVariableAndSync,  // there and before synchronisation
  kMemory,           // accesses
  kSync,             // synchronisation
};
inline constexpr std::string_view kNoisePlaceNames[] = {"random", "var-one", "var-one+other", "var-all", "sync"};

inline constexpr std::uint16_t kPerMille = 1000;
struct NoiseSpec {
  NoiseSeeding seeding = NoiseSeeding::kYield;
  NoisePlaces places = NoisePlaces::kEverywhere;
  std::uint16_t frequency = 0;  // per mille of the operations there
  std::uint16_t strength = 1;
  std::uint16_t halts = 0;  // 1: now and then a thread is held back until nobody else can run
};

struct PolicySpec {
  PolicyKind kind = PolicyKind::kRunOn;
  std::uint8_t switches = 0;  // entries of forced[] in use (kPreempt)
  std::uint16_t depth = 3;    // kPct: d; kPeriod: rounds; others: model/policy_depth.h
  std::uint32_t length =
      0;  // kPct: estimated number of steps k; kGuided: the preferred thread; kFulfil: the one that begins
  std::uint64_t seed = 0;
  ForcedSwitch forced[kMaxForcedSwitches] = {};
  LocationId park_at[kMaxParkPlaces];  // kPark, kSurw: places of pending operations; 0 ends the list
  // Of each thread, expected: kSurw operations there, kPeriod steps. kGuided: not 0, states are distinguished without
  // their level; number of the search, which states belong to (kSliced: the second only).
  std::uint16_t counts[kMaxCounted] = {};
  ReadsFrom from[kMaxReadsFrom];  // kReadsFrom
  NoiseSpec noise;
};

// A run of equal choices. `thread` with kDataChoice set is an alternative of a data choice instead of a thread.
inline constexpr std::uint32_t kDataChoice = 0x80000000u;
struct Segment {
  std::uint32_t thread = 0;
  std::uint32_t count = 0;
};

enum class OnDivergence : std::uint8_t { kStop, kContinue };  // kContinue: the policy takes over

// What the choices of a prefix are about.
enum class PrefixKind : std::uint8_t {
  kDecisions,  // points at which there was an alternative
  kTurns,  // none: entries are turns, a thread until it has done `count` events (model/turn_prefix.h). Never in a file.
  kSteps,  // every point that is passed, for searches that compute schedules they have never run. Never in a file.
};

// For metrics: also while one thread is alone, from the first instruction of main to its last.
enum class RecordAlso : std::uint8_t {
  kNothing,
  kAtomics,
  kAccesses,  // and plain accesses, none of them filtered
};

struct PlanSpec {
  PolicySpec policy;
  std::uint64_t max_steps = 1'000'000;
  std::uint64_t stop_at = 0;           // 0: never; else raise a trap before event number stop_at (replay --until)
  std::uint32_t prefix_segments = 0;   // entries of SharedBlock::prefix in use
  std::uint32_t racy_locations = 0;    // entries of SharedBlock::racy in use
  std::uint32_t points_version = 0;    // grows with the racy set
  std::uint32_t excluded_classes = 0;  // bit 1 << OpClass: not scheduling points
  std::uint32_t faults = 0;
  std::uint32_t max_faults = 1;
  std::uint64_t data_seed = 0;     // of data choices and faults; 0: the policy's
  std::uint32_t explore_call = 0;  // the n-th call of ravel::explore() is what is run; 0: the whole program
  PointsMode points = PointsMode::kRacy;
  TimeoutMode timeouts = TimeoutMode::kFair;
  VolatileMode volatiles = VolatileMode::kPlain;
  WaiterMode waiters = WaiterMode::kAny;
  OnDivergence on_divergence = OnDivergence::kStop;
  std::uint8_t stop_at_failure = 0;  // raise a trap at the failure (replay --gdb)
  PrefixKind prefix_kind = PrefixKind::kDecisions;
  // Everything a reduced search needs is recorded: operands, and what is pending at the end. Never in a file.
  std::uint8_t record_steps = 0;
  // The limit of steps grows as long as nothing repeats; real time bounds the execution instead (Campaign::open_ms).
  // max_steps is then the limit in force at the end. Never in a file.
  std::uint8_t open_ended = 0;
  // Every point goes the long way, every access is recorded, and traces are analysed and ordered whether they are known
  // or not: shortcuts must not change what is found. Never in a file.
  std::uint8_t without_shortcuts = 0;
  // What is recorded beyond what races and schedules need. Never in a file.
  RecordAlso record_also = RecordAlso::kNothing;
  // Operations that are held back until it is their turn: SharedBlock::sequence. Beside the prefix, since any strategy
  // may go on behind a sequence. A decision is one with and without it, so that plan files need none. Never in a file.
  SequenceRules sequence;
  GoalRules goals;  // SharedBlock::goals. Never in a file
};

}  // namespace ravel
