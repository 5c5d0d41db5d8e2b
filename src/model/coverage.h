// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Concurrency coverage as plain records in shared memory: tasks, what their fields are about, and which tasks each
// execution covered. All tables only grow; what lies beyond CoverCounts does not exist. Names are found in the tool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/event.h"
#include "model/tables.h"

namespace ravel {

enum class MetricId : std::uint8_t {
  kAvio,
  kAvioStar,
  kEraser,
  kEraserStar,
  kGoldiLock,
  kGoldiLockStar,
  kGoodLock,
  kGoodLockStar,
  kHbPair,
  kHbPairStar,
  kDuPairs,
  kDuPairsStar,
  kGoldiLockSc,
  kConcurPairs,
  kSync,
  kDriving,
  kReadsFrom,
  kInterrupt,
  kPlace,
  kConflict,
  kCount
};
inline constexpr std::string_view kMetricNames[] = {"avio",       "avio*",    "eraser",      "eraser*",     "goldilock",
                                                    "goldilock*", "goodlock", "goodlock*",   "hbpair",      "hbpair*",
                                                    "dupairs",    "dupairs*", "goldilocksc", "concurpairs", "sync",
                                                    "driving",    "rf",       "interrupt",   "place",       "conflict"};
static_assert(sizeof(kMetricNames) / sizeof(kMetricNames[0]) == static_cast<std::size_t>(MetricId::kCount));
inline constexpr std::uint32_t metric_bit(MetricId id) {
  return 1u << static_cast<unsigned>(id);
}

// One field of a task: its kind in the upper four bits, below it a number.
using Atom = std::uint64_t;
enum class AtomKind : std::uint8_t {
  kNothing,     // printed as -
  kPlace,       // LocationId of the user's own code
  kThread,      // row of the table of thread identities (while the execution runs: ThreadIndex)
  kThreadType,  // the same, of its type alone
  kObject,      // row of the table of objects, and what part of it
  kSet,         // index of a set of atoms
  kWord,        // CoverWord
};
inline constexpr unsigned kAtomShift = 60;
inline constexpr Atom make_atom(AtomKind kind, std::uint64_t value) {
  return static_cast<std::uint64_t>(kind) << kAtomShift | value;
}
inline constexpr AtomKind kind_of(Atom atom) {
  return static_cast<AtomKind>(atom >> kAtomShift);
}
inline constexpr std::uint64_t value_of(Atom atom) {
  return atom & ((std::uint64_t{1} << kAtomShift) - 1);
}
// Of kObject: row | part of a large object | offset, or with it the size of the access.
inline constexpr std::uint64_t kSizedPart = std::uint64_t{1} << 32;
inline constexpr unsigned kObjectRowShift = 33;
inline constexpr std::uint32_t object_row(Atom atom) {
  return static_cast<std::uint32_t>(value_of(atom) >> kObjectRowShift);
}

// Words of tasks. Those of `sync` also say which primitive it was: primitive << 8 | mode.
enum class CoverWord : std::uint8_t {
  kNone,
  kAll,
  kInit,
  kFalse,
  kTrue,
  kVirgin,
  kExclusive,
  kExclusive2,
  kShared,
  kModified,
  kRace,
  kSct,
  kScl,
  kLs,
  kE,
  kVisited,
  kBlocked,
  kBlocking,
  kTryFailed,
  kSignalled,
  kUnsignalled,
  kTimedOut,
  kHeard,
  kUnheard,
  kLast,
  kRan,
  kFound,
  kRW,
  kMM,
  kWM,
  kWN,
  kCount
};
inline constexpr std::string_view kCoverWords[] = {
    "-",       "all",      "init",   "false",     "true",     "virgin",  "exclusive", "exclusive'",
    "shared",  "modified", "race",   "SCT",       "SCL",      "LS",      "E",         "visited",
    "blocked", "blocking", "failed", "signalled", "spurious", "timeout", "heard",     "unheard",
    "last",    "ran",      "found",  "RW",        "MM",       "WM",      "WN"};
static_assert(sizeof(kCoverWords) / sizeof(kCoverWords[0]) == static_cast<std::size_t>(CoverWord::kCount));
inline constexpr Atom word_atom(CoverWord word, OpKind primitive = OpKind::kNone) {
  return make_atom(AtomKind::kWord, static_cast<std::uint64_t>(primitive) << 8 | static_cast<std::uint64_t>(word));
}

inline constexpr unsigned kMostFields = 6;
struct TaskRecord {
  std::uint64_t hash = 0;
  MetricId metric = MetricId::kCount;
  std::uint8_t fields = 0;
  std::uint8_t pad[6] = {};
  Atom field[kMostFields] = {};
};
static_assert(sizeof(TaskRecord) == 64);

// How tasks distinguish threads and objects.
enum class ThreadIdentity : std::uint8_t { kAbstract, kType, kReal, kNamed };
enum class ObjectIdentity : std::uint8_t { kAbstract, kType, kReal, kNamed };
inline constexpr std::string_view kIdentityNames[] = {"abstract", "type", "real"};

inline constexpr std::uint32_t kMostFirstFunctions = 32;
// A thread as it is known over executions; what an identity leaves out is 0.
struct ThreadIdentityRecord {
  std::uint64_t hash = 0;
  std::uint32_t parent = 0;   // kReal: row of the parent; of threads seen: lineage, lower half
  std::uint32_t ordinal = 0;  // kReal: n-th child; kNamed: ThreadIndex; of threads seen: lineage, upper half
  LocationId type = 0;        // start routine, or the table of virtual functions of what std::thread runs
  std::uint32_t functions = 0;
  LocationId first[kMostFirstFunctions] = {};  // functions entered first, in order
  std::uint32_t is_main = 0;
  std::uint32_t pad = 0;
};
static_assert(sizeof(ThreadIdentityRecord) == 160);

struct ObjectIdentityRecord {
  std::uint64_t hash = 0;
  ObjectKind kind = ObjectKind::kUnknown;
  std::uint8_t pad[3] = {};
  std::uint32_t owner = 0;  // kModule: slot; kReal: row + 1 of the thread that owns it; seen: its lineage, lower half
  std::uint32_t ordinal = 0;
  LocationId site = 0;     // kHeap: the user's place of the allocation
  std::uint32_t size = 0;  // kType
  std::uint32_t id = 0;    // kNamed: ObjectId; seen: lineage of the owner, upper half
};
static_assert(sizeof(ObjectIdentityRecord) == 32);

// How much there is of each table, and of how many executions the sets are known.
struct CoverCounts {
  std::uint32_t tasks = 0;
  std::uint32_t threads = 0;
  std::uint32_t objects = 0;
  std::uint32_t set_words = 0;     // sets of atoms: a count, then the atoms
  std::uint32_t run_words = 0;     // sets of tasks: a count, then task numbers, ascending
  std::uint32_t runs = 0;          // executions: index of a set of tasks, with kFailedRun
  std::uint32_t truncated = 0;     // something did not fit, or some execution was not seen as a whole
  std::uint32_t saturated = 0;     // --until-saturated ended the campaign
  std::uint32_t seen_threads = 0;  // threads and objects by all that tells them apart, for counts by identity
  std::uint32_t seen_objects = 0;
  std::uint32_t seen_truncated = 0;  // not all of them
};
inline constexpr std::uint32_t kFailedRun = 1u << 31;

// The first functions of each thread, as the runtime notes them: a row by ThreadIndex, and behind those of all threads
// a row for each job that a thread began (ravel::job), in which the list begins again.
inline constexpr std::uint32_t kMostJobs = 1u << 14;       // of one execution
inline constexpr std::uint32_t kLeastFirstFunctions = 20;  // noted, also where fewer tell threads apart
struct FirstFunctions {
  LocationId type = 0;
  std::uint32_t count = 0;
  ThreadIndex thread = 0;
  LocationId first[kMostFirstFunctions] = {};
};
static_assert(sizeof(FirstFunctions) == 140);

}  // namespace ravel
