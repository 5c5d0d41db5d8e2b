// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// FreeRecord: one free run copied out of shared memory and from what the kernel says about its end. The process may
// have scribbled over what it shares: every count, index and string is checked here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driver/execution_record.h"
#include "driver/free_watch.h"
#include "model/outcome.h"

namespace ravel {

struct FreeStamp {
  std::uint64_t number = 0;  // among the thread's events
  std::uint64_t time = 0;    // of a clock that all threads share; 0: the run was not traced
};

struct FreeThreadRecord {
  std::uint32_t parent = 0;
  std::uint32_t number = 0;
  std::uint64_t type = 0;
  std::uint64_t start = 0;
  std::vector<FreeEvent> events;    // the last of them, in the order of the thread
  std::vector<FreeStamp> stamps;    // of the events
  bool complete = true;             // all of them
  std::vector<FreeEvent> accesses;  // the last of them, of a run that was traced
  bool all_accesses = true;
  std::vector<FreeGap> gaps;  // in which it did not log what it accessed
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t type_at = 0;
  std::vector<std::uint64_t> functions;  // entered first
  std::vector<FreeDelay> delays;         // the last of them
};

// Two accesses that were seen open at once.
struct FreeOverlapRecord {
  std::uint32_t thread[2] = {};
  std::uint64_t pc[2] = {};
  bool writes[2] = {};
  std::uint64_t address = 0;
  std::uint64_t times = 0;
};

struct FreeHealingRecord {
  std::uint64_t entered = 0;
  std::uint64_t waited = 0;
  std::uint64_t given_up = 0;
};

struct FreeRecord {
  OutcomeKind outcome = OutcomeKind::kNotRun;
  std::string message;
  int signal = 0;
  int exit_status = 0;
  std::uint32_t thread = 0;           // that failed
  std::vector<std::uint64_t> frames;  // where, innermost first
  std::vector<ThreadWait> stuck;      // of a deadlock
  std::vector<ThreadWait> waiting;    // of a hang: all threads
  bool ready = false;                 // the library took part
  std::uint32_t most_live = 0;
  std::uint64_t accesses = 0;  // call-outs: 0 means that nothing was instrumented
  bool order_complete = true;  // every operation of every thread is there, and no handler of a signal has run
  bool traced = false;
  std::uint32_t unrecorded = 0;    // synchronisation that no thread's record has
  std::uint32_t lost_threads = 0;  // ... and threads that have none
  std::vector<FreeOverlapRecord> overlaps;
  FreeHealingRecord healing;
  std::uint64_t injections = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> injected;  // by place: address and number
  std::vector<FreeThreadRecord> threads;
  std::vector<ModuleRecord> modules;
  double seconds = 0;
  std::string stdout_text;
  std::string stderr_text;

  [[nodiscard]] LocationId location_of(std::uint64_t pc) const;       // kNoLocation: in no module
  [[nodiscard]] std::uint64_t address_of(LocationId location) const;  // 0: in no module
};
inline constexpr LocationId kNoLocation = ~LocationId{0};

// How the process ended; the block says more than the kernel where both speak.
void judge_end(FreeRecord& record, int wait_status, const FreeFailure& failure, FreeStop stop, int expect_exit);
FreeRecord read_free_run(const FreeProcess& process, FreeStop stop, int expect_exit);

}  // namespace ravel
