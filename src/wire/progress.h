// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the worker and the server of workers report while the campaign runs. `control.stop` is the driver's; everything
// else the driver only reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "model/divergence.h"
#include "model/event.h"
#include "model/execution.h"
#include "model/operation.h"
#include "model/outcome.h"

namespace ravel {

// Why a campaign ended before its budget, beside a defect and being complete.
enum class EarlyEnd : std::uint32_t { kNone, kNothingNew, kAllCut, kSaturated };

// What one part of a strategy did (explore/portfolio_parts.h).
inline constexpr std::size_t kMaxStrategyParts = 16;
struct PartProgress {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> distinct{0};  // of them, with a trace that was new
  std::atomic<std::uint64_t> findings{0};  // that it was the first to see
};

struct Progress {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> decisions{0};
  std::atomic<std::uint64_t> distinct{0};       // different fingerprints seen (exact up to a limit)
  std::atomic<std::uint64_t> sequences{0};      // different SYN-sequences seen (exact up to a limit)
  std::atomic<std::uint64_t> suspects{0};       // reachability: executions that were analysed and do not count
  std::atomic<std::uint32_t> own_sequences{0};  // no two jobs have the same
  std::atomic<std::uint64_t> digest{0};         // over fingerprints and outcomes of all executions, in order
  std::atomic<std::uint64_t> blocked{0};
  std::atomic<std::uint64_t> abandoned{0};      // a goal was dropped on the way
  std::atomic<std::uint64_t> cut{0};            // of them, by the limit of steps
  std::atomic<std::uint64_t> signs_of_life{0};  // of an execution that computes without a step; no part of any result
  std::atomic<std::uint32_t> findings{0};
  std::atomic<std::uint32_t> outcomes{0};  // entries of SharedBlock::outcomes
  std::atomic<std::uint32_t> worker_restarts{0};
  std::atomic<std::uint32_t> complete{0};      // the strategy has nothing left
  std::atomic<std::uint32_t> promise_kept{0};  // ... or nothing left of what it was asked for
  std::atomic<std::uint32_t> bounds{0};        // how many bounds (0, 1, ...) were covered
  std::atomic<std::uint64_t> estimate{0};      // executions of the whole search; 0: no idea
  std::atomic<std::uint64_t> estimate_low{0};
  std::atomic<std::uint64_t> estimate_high{0};
  std::atomic<std::uint32_t> done{0};         // the campaign is over
  std::atomic<std::uint32_t> mismatches{0};   // --verify / replay: executions whose fingerprint differed
  std::atomic<std::uint32_t> max_threads{0};  // most threads that lived in one execution
  std::atomic<std::uint64_t> choices{0};      // executions with at least one real choice
  std::atomic<std::uint64_t> callouts{0};     // compiler call-outs seen over all executions
  std::atomic<std::uint64_t> operations[static_cast<std::size_t>(OpKind::kCount)] =
      {};                                     // events by kind, over all executions
  std::atomic<std::uint32_t> goal_level{0};   // of a guided search: the most places of its sequence observed in order
  std::atomic<std::uint64_t> goal_states{0};  // ... pairs of a decision and a thread that were ranked
  std::atomic<EarlyEnd> early_end{EarlyEnd::kNone};
  std::atomic<std::uint64_t> unchanged{0};  // executions since something new was seen
  PartProgress parts[kMaxStrategyParts];
  ValueCounts values;            // of a search by goals; as of the last time that estimates were made
  Divergence divergence;         // of reachability testing
  char strategy_note[256] = {};  // what the strategy says of itself at the end
};

// --verify and replay --times: the first event in which two runs of one plan differ.
struct DifferenceRecord {
  std::atomic<std::uint32_t> found{0};  // 1: an event differs, 2: only the outcome does
  OutcomeKind first_outcome = OutcomeKind::kNotRun;
  OutcomeKind second_outcome = OutcomeKind::kNotRun;
  std::uint8_t first_ended = 0;   // the first run has no such event
  std::uint8_t second_ended = 0;  // the second run has none
  std::uint64_t execution = 0;    // number of the execution in the campaign, from 0
  std::uint64_t sequence = 0;     // of the event
  Event first;
  Event second;
};

struct Control {
  std::atomic<std::uint32_t> stop{0};  // the driver asks the worker to end after this execution
  std::atomic<std::int32_t> zygote_pid{0};
  std::atomic<std::int32_t> worker_pid{0};
  std::atomic<std::int32_t> child_pid{0};
  std::atomic<std::uint32_t> worker_killed{0};  // the last worker died by somebody else's SIGKILL
  std::atomic<std::uint32_t> ready{0};          // the runtime has taken over
  std::uint32_t error = 0;                      // runtime could not start: message in `error_text`
  char error_text[kMessageBytes] = {};
  std::atomic<std::uint64_t> notes{0};  // bits of RuntimeNote: what was seen but is not controlled
  // Of a program that calls ravel::explore(): the call that is explored, or how the program ended before it.
  std::uint32_t explore_calls = 0;  // reached so far
  std::uint32_t program_ended = 0;
  std::int32_t exit_status = 0;  // -1: it failed, error_text says how
  char explore_name[128] = {};
};

enum RuntimeNote : std::uint64_t {
  kNoteNoFsgsbase = 1u << 0,
  kNoteAslrOn = 1u << 1,
  kNoteOpenMp = 1u << 16,
  kNoteForeignThreads = 1u << 17,
  kNoteHiddenThreads = 1u << 18,
  kNoteProcessShared = 1u << 19,
};

}  // namespace ravel
