// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The memory that the tool shares with a program in free-running mode: what noise it is to inject, and what each thread
// did. It survives any end of the process. One sparse memfd per run; the process may have scribbled over it, so the
// tool checks every count and index (driver/free_record.cc).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "model/coverage.h"
#include "model/event.h"
#include "model/execution.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/tables.h"

namespace ravel {

inline constexpr std::uint64_t kFreeMagic = 0x6565'7266'6c65'7661ull;
inline constexpr std::uint32_t kFreeVersion = 4;
inline constexpr char kFreeVariable[] = "RAVEL_FREE";            // number of the descriptor
inline constexpr char kFreePreload[] = "RAVEL_FREE_LD_PRELOAD";  // what LD_PRELOAD was before us
inline constexpr std::uint32_t kFreeThreads = 256;
inline constexpr std::uint32_t kFreeEvents = 1u << 14;  // the last ones of each thread
inline constexpr std::uint32_t kFreeDelays = 1u << 10;
inline constexpr std::uint32_t kFreePlaces = 1u << 12;
inline constexpr std::uint32_t kFreeFrames = 24;
inline constexpr std::uint32_t kFreeWaitFrames = 8;
// Of runs that are looked at by detectors or metrics.
inline constexpr std::uint32_t kFreeTracedEvents = 1u << 16;
inline constexpr std::uint32_t kFreeAccesses = 1u << 17;
inline constexpr std::uint32_t kFreeGaps = 1u << 12;
inline constexpr std::uint32_t kFreeSystemCode = 1u << 14;
inline constexpr std::uint32_t kFreeOverlaps = 1u << 8;
inline constexpr std::uint32_t kFreeSections = 8;
inline constexpr std::uint32_t kFreeSectionPlaces = 8;

// Where noise may be injected.
enum NoiseClass : std::uint32_t {
  kNoisePlain = 1,
  kNoiseAtomic = 2,
  kNoiseBeforeSync = 4,
  kNoiseAfterSync = 8,
  kNoiseAnywhere = 15,
};

// A place of the code with a probability of its own; empty: pc is 0. Placements that learn make a table of these.
struct FreeNoisePlace {
  std::uint64_t pc = 0;
  std::uint64_t thread_type = 0;  // 0: any thread
  std::uint32_t per_million = 0;
  std::uint32_t least_us = 0;  // computed strength: a delay between the two; both 0: the ordinary strength
  std::uint32_t most_us = 0;
};

struct FreeNoise {
  std::uint64_t seed = 0;
  NoiseSeeding seeding = NoiseSeeding::kYield;
  bool on = false;
  bool halts = false;
  bool tampers = false;
  bool one_at_a_time = false;
  std::uint32_t per_million = 0;
  std::uint32_t strength = 1;
  std::uint32_t classes = 0;  // NoiseClass bits where `per_million` holds
  std::uint32_t listed = 0;   // rows in use; these are looked up at every place
  FreeNoisePlace places[kFreePlaces];
};

// A section of code that is not to be disturbed: a thread that is about to enter it while another is inside waits
// until that one is through, for a while. Places are offsets from the program's base; empty ones are 0.
struct FreeSection {
  bool by_locks = false;  // it is through when it has released all locks that it took since it entered
  std::uint64_t enter[kFreeSectionPlaces] = {};
  std::uint64_t leave[kFreeSectionPlaces] = {};  // its last operation; it is through at the one behind that
};

// Which accesses of a run that is traced are logged: those that the thread has not made the same way since its last
// synchronisation; all; or all until the thread's log has been filled once, and from then on those of short spans of
// time, which are the same for all threads.
enum class FreeLogging : std::uint32_t { kOnce, kAll, kBursts };

// What a run is asked to do besides.
struct FreeRequest {
  bool observe = false;  // FreeBlock::observed
  bool trace = false;    // FreeLog: the block is followed by one for each thread
  FreeLogging logging = FreeLogging::kOnce;
  bool windows = false;    // FreeBlock::overlaps: an access stays open while noise delays it
  std::uint32_t cpus = 0;  // processors that it may use; 0: all. Set by the tool before the start
  std::uint32_t sections = 0;
  std::uint32_t system_ranges = 0;
  FreeSection section[kFreeSections];
  CodeRange system_code[kFreeSystemCode];  // of the program, from headers of the system, by start
  FreeNoise noise;
};

// One recorded operation. `order` is its position in the one order of all synchronisation.
struct FreeEvent {
  std::uint64_t order = 0;
  std::uint64_t address = 0;
  std::uint64_t pc = 0;
  std::uint32_t value = 0;
  OpKind kind = OpKind::kNone;
  std::uint8_t bits = 0;  // as Event::bits
  std::uint16_t size = 0;
  std::uint64_t user = 0;  // of a run that is traced: the user's own place, pc itself or a caller of it
};
static_assert(sizeof(FreeEvent) == 40);

// When a thread made accesses that it did not log, by the time stamps of accesses.
struct FreeGap {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
};
// A thread that does not log looks at the clock now and then. What it does where it has not looked for long, it did
// near to when it looked.
inline constexpr std::uint64_t kFreeGapMargin = 1u << 15;

// What a thread did in a run that is traced. Events are there instead of in FreeThread::ring, each with its time. Of an
// access `order` is the time, and `value` the number of the thread's events before it.
struct FreeLog {
  std::atomic<std::uint64_t> logged{0};
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t type_at = 0;    // start routine, or the table of virtual functions of what std::thread runs
  std::uint32_t functions = 0;  // entered first, in order: an address inside of each
  std::uint64_t first[kMostFirstFunctions];
  std::uint64_t times[kFreeTracedEvents];
  FreeEvent events[kFreeTracedEvents];  // the last of them
  FreeEvent accesses[kFreeAccesses];    // the last of them
  // Logged in bursts.
  std::atomic<std::uint64_t> gaps{0};
  FreeGap gap[kFreeGaps];        // the last of them
  std::uint64_t off_since = 0;   // the gap that is open; 0: it logs
  std::uint64_t looked = 0;      // at the clock, last
  std::uint64_t look_again = 0;  // at this number of the thread's accesses
  std::uint64_t unseen = 0;      // accesses until then
};

// An injected delay.
struct FreeDelay {
  std::uint64_t pc = 0;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;   // 0: it is not over
  std::uint32_t seeding = 0;  // NoiseSeeding; kFreeHalted: haltOneThread
  std::uint32_t strength = 0;
};
inline constexpr std::uint32_t kFreeHalted = 100;
inline constexpr std::uint32_t kFreeHaltGivenUp = 101;  // the watchdog released it

enum class FreeThreadState : std::uint32_t { kUnused, kMade, kLive, kEnded };

struct alignas(64) FreeThread {
  std::atomic<FreeThreadState> state{FreeThreadState::kUnused};
  std::atomic<std::int32_t> tid{0};
  std::uint32_t parent = 0;
  std::uint32_t number = 0;   // among the parent's children
  std::uint64_t lineage = 0;  // seed of its noise: by the numbers on the way from main
  std::uint64_t start = 0;    // start routine
  std::uint64_t type = 0;     // abstract identity: start routine and type of its functor
  // What it waits for, while `waits` is not kNone. The epoch changes at every begin and end of a wait.
  std::atomic<std::uint32_t> wait_epoch{0};
  std::atomic<OpKind> waits{OpKind::kNone};
  std::atomic<bool> wait_timed{false};
  std::atomic<std::uint64_t> wait_object{0};
  std::atomic<std::uint64_t> wait_pc[kFreeWaitFrames] = {};  // innermost first; 0: no more
  // The access that it is about to make, while noise delays it. 0: none.
  std::atomic<std::uint64_t> open_address{0};
  std::atomic<std::uint64_t> open_pc{0};
  std::atomic<std::uint32_t> open_size{0};
  std::atomic<bool> open_writes{false};
  // Its own line: written at every access.
  alignas(64) std::uint64_t moves = 0;
  std::uint64_t accesses = 0;  // call-outs
  std::uint64_t look_at = 0;   // hooks look at accesses from this one on
  std::uint32_t children = 0;
  std::uint32_t held = 0;  // locks
  std::atomic<std::uint32_t> delays{0};
  std::atomic<std::uint64_t> events{0};
  FreeDelay delay_ring[kFreeDelays];
  FreeEvent ring[kFreeEvents];
};

// The first failure.
struct FreeFailure {
  std::atomic<std::uint32_t> state{0};  // 1: being written, 2: complete
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::int32_t signal = 0;
  std::uint32_t thread = 0;
  std::uint32_t frames = 0;
  std::uint64_t frame[kFreeFrames] = {};  // return addresses, innermost first
  char message[kMessageBytes] = {};
};

struct FreePlaceCount {
  std::atomic<std::uint64_t> pc{0};
  std::atomic<std::uint64_t> injected{0};
};

// What was observed of a place of the code.
struct FreeObserved {
  std::atomic<std::uint64_t> pc{0};
  std::uint64_t thread_type = 0;
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint32_t> group{0};        // places that touch one variable are in one group
  std::atomic<std::uint32_t> unprotected{0};  // executions without any lock held
  std::atomic<std::uint32_t> shared{0};       // it touched something that another thread touched
  std::atomic<std::uint32_t> least_us{0};     // until another thread's next access to the same: smallest + 1, 0: never
  std::atomic<std::uint32_t> most_us{0};
  std::uint32_t classes = 0;
};

// Two accesses that were open at once, one of them a write: a pair of places once.
struct FreeOverlap {
  std::atomic<std::uint32_t> state{0};  // 1: being written, 2: complete
  std::uint32_t first_thread = 0;
  std::uint32_t second_thread = 0;
  bool first_writes = false;
  bool second_writes = false;
  std::uint64_t first_pc = 0;
  std::uint64_t second_pc = 0;
  std::uint64_t address = 0;
  std::atomic<std::uint64_t> times{0};
};

// What kept a defect away.
struct FreeHealing {
  std::atomic<std::uint64_t> entered{0};
  std::atomic<std::uint64_t> waited{0};
  std::atomic<std::uint64_t> given_up{0};  // waited as long as is allowed
};

// Whole pages: what comes behind it is mapped on its own.
struct alignas(4096) FreeBlock {
  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t owner_pid = 0;
  std::atomic<std::uint32_t> ready{0};
  std::atomic<std::uint32_t> thread_count{0};
  std::atomic<std::uint32_t> live{0};
  std::atomic<std::uint32_t> most_live{0};
  std::atomic<std::uint32_t> lost_threads{0};  // no slot was left
  std::atomic<std::uint32_t> unrecorded{0};    // synchronisation by who has no slot: handlers, threads that end
  std::atomic<std::uint32_t> handlers{0};  // signal handlers of the program that have run: what they do is not recorded
  std::atomic<std::uint64_t> order{0};
  std::atomic<std::uint32_t> module_count{0};
  ModuleRecord modules[kMaxModules];
  FreeRequest request;
  FreeFailure failure;
  FreePlaceCount injected[kFreePlaces];
  FreeObserved observed[kFreePlaces];
  FreeOverlap overlaps[kFreeOverlaps];
  FreeHealing healing;
  FreeThread threads[kFreeThreads];
};

inline constexpr std::uint64_t free_block_bytes(bool trace) {
  return sizeof(FreeBlock) + (trace ? sizeof(FreeLog) * kFreeThreads : 0);
}
static_assert(sizeof(FreeBlock) % 4096 == 0);
inline const FreeLog* free_logs(const FreeBlock& block) {
  return block.request.trace ? reinterpret_cast<const FreeLog*>(&block + 1) : nullptr;
}

// Slot of `pc` in a table of kFreePlaces rows; the next ones when it is taken.
inline constexpr std::uint32_t free_slot(std::uint64_t pc) {
  return static_cast<std::uint32_t>((pc * 0x9e3779b97f4a7c15ull) >> 52);
}
static_assert(kFreePlaces == 1u << 12);

}  // namespace ravel
