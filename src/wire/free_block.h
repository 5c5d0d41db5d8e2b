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

#include "model/event.h"
#include "model/execution.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/tables.h"

namespace ravel {

inline constexpr std::uint64_t kFreeMagic = 0x6565'7266'6c65'7661ull;
inline constexpr std::uint32_t kFreeVersion = 1;
inline constexpr char kFreeVariable[] = "RAVEL_FREE";            // number of the descriptor
inline constexpr char kFreePreload[] = "RAVEL_FREE_LD_PRELOAD";  // what LD_PRELOAD was before us
inline constexpr std::uint32_t kFreeThreads = 256;
inline constexpr std::uint32_t kFreeEvents = 1u << 14;  // the last ones of each thread
inline constexpr std::uint32_t kFreeDelays = 1u << 10;
inline constexpr std::uint32_t kFreePlaces = 1u << 12;
inline constexpr std::uint32_t kFreeFrames = 24;

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

// What a run is asked to do besides.
struct FreeRequest {
  bool observe = false;    // FreeBlock::observed
  std::uint32_t cpus = 0;  // processors that it may use; 0: all. Set by the tool before the start
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
};
static_assert(sizeof(FreeEvent) == 32);

// An injected delay.
struct FreeDelay {
  std::uint64_t pc = 0;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
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
  std::atomic<std::uint64_t> wait_pc{0};
  // Its own line: written at every access.
  alignas(64) std::uint64_t moves = 0;
  std::uint64_t accesses = 0;  // call-outs
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

struct FreeBlock {
  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t owner_pid = 0;
  std::atomic<std::uint32_t> ready{0};
  std::atomic<std::uint32_t> thread_count{0};
  std::atomic<std::uint32_t> live{0};
  std::atomic<std::uint32_t> most_live{0};
  std::atomic<std::uint32_t> lost_threads{0};  // no slot was left
  std::atomic<std::uint32_t> forks{0};
  std::atomic<std::uint32_t> handlers{0};  // signal handlers of the program that have run: what they do is not recorded
  std::atomic<std::uint64_t> order{0};
  std::atomic<std::uint32_t> module_count{0};
  ModuleRecord modules[kMaxModules];
  FreeRequest request;
  FreeFailure failure;
  FreePlaceCount injected[kFreePlaces];
  FreeObserved observed[kFreePlaces];
  FreeThread threads[kFreeThreads];
};

// Slot of `pc` in a table of kFreePlaces rows; the next ones when it is taken.
inline constexpr std::uint32_t free_slot(std::uint64_t pc) {
  return static_cast<std::uint32_t>((pc * 0x9e3779b97f4a7c15ull) >> 52);
}
static_assert(kFreePlaces == 1u << 12);

}  // namespace ravel
