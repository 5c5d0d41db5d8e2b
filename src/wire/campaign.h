// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the driver asks for. Written by the driver before the program starts; the worker only reads it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/coverage.h"
#include "model/plan.h"
#include "model/tables.h"
#include "model/target.h"
#include "wire/isolation.h"
#include "wire/version.h"

namespace ravel {

inline constexpr std::uint32_t kMaxRegionFunctions = 256;
inline constexpr std::uint32_t kMaxSystemCode = 1u << 14;

struct Header {
  std::uint64_t magic = kWireMagic;
  std::uint32_t version = kWireVersion;
  std::uint32_t owner_pid = 0;  // the only process that may take control; 0: the first that asks
  std::uint64_t block_bytes = 0;
};

// Of a block that is kept in a file (--checkpoint): whose it is. Written by the driver.
struct CheckpointMark {
  std::uint64_t campaign = 0;  // hash of what must be the same: program, arguments, strategy, points, ...
  std::uint32_t jobs = 0;
  std::uint32_t shard = 0;
  char program[256] = {};  // for messages
  char strategy[64] = {};
};

enum class RunMode : std::uint8_t {
  kExplore,  // a campaign: strategy, many executions
  kReplay,   // run plan + prefix `campaign.repeat` times, compare fingerprints
  kDirect,   // run plan + prefix in this very process, no fork (under a debugger)
};

struct Campaign {
  RunMode mode = RunMode::kExplore;
  Isolation isolation = Isolation::kAuto;
  std::uint8_t keep_going = 0;
  std::uint8_t verify = 0;        // run each plan twice
  std::uint8_t show_output = 0;   // let the program's output through
  std::uint8_t outcomes = 0;      // list the combinations of observed values
  std::uint8_t resumed = 0;       // from a checkpoint: `iterations' are further ones
  std::uint8_t ends_at_goal = 0;  // a guided search is over when its sequence was observed
  std::uint32_t shard_index = 0;
  std::uint32_t shard_count = 1;
  std::int32_t tree_fd = -1;   // of a search by several processes: wire/shared_tree.h
  std::uint32_t tree_job = 0;  // which of them this is
  std::uint64_t tree = 0;      // where the runtime has mapped it; 0: the search is this process' alone
  std::int32_t facts_fd = -1;  // of static facts: wire/facts_table.h
  std::uint64_t facts_bytes = 0;
  std::uint64_t facts = 0;  // where the runtime has mapped them; 0: there are none
  std::int32_t expect_exit = 0;
  char strategy[64] = {};       // name[,key=value...]
  DefectTarget target;          // of strategies that work on a plan
  std::uint64_t detectors = 1;  // bit 1 << row of the detectors' table; data races by default
  std::uint32_t coverage = 0;   // bit 1 << MetricId; 0: coverage is not measured
  ThreadIdentity cover_threads = ThreadIdentity::kAbstract;
  ObjectIdentity cover_objects = ObjectIdentity::kAbstract;
  std::uint8_t cover_functions = 20;  // of a thread, how many tell it from others
  std::uint8_t cover_adaptive = 0;    // executions depend on earlier ones: no statistics of independent draws
  double saturation = 0;              // not 0: end when a new task comes with at most this chance
  std::uint64_t training = 0;         // executions at the start that only teach detectors that learn
  std::uint64_t seed = 0;
  std::uint64_t iterations = 0;    // executions of this shard
  std::uint64_t patience = 0;      // not 0: ends when so many executions in a row, at least, brought nothing new
  std::uint64_t hang_ms = 10'000;  // blocked for so long in something that is not controlled: a hang
  std::uint64_t busy_ms = 10'000;  // ... or computing for so long, in processor time, beside other threads
  std::uint64_t open_ms = 0;  // not 0: the first execution is open-ended for so long, and decides the limit of others
  std::uint32_t repeat = 1;
  std::int32_t export_fd = -1;         // replay: all events are written here too
  char scratch[256] = {};              // folder that holds the working folder of each execution; empty: none
  PlanSpec base;                       // options of the command line: limits, points, time-outs, faults
  std::uint32_t region_functions = 0;  // entries of region_table
  CodeRange region_table[kMaxRegionFunctions] = {};  // functions whose calls are meant to be atomic, by start
  std::uint32_t job_functions = 0;                   // entries of job_table
  CodeRange job_table[kMaxRegionFunctions] = {};     // functions whose calls begin a job, by start
  std::uint32_t system_ranges = 0;                   // entries of SharedBlock::system_code
};

}  // namespace ravel
