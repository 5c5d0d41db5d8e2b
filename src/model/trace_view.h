// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// TraceView: one execution as strategies, detectors and metrics see it. A value of spans over tables that somebody else
// owns: the worker's shared memory (wire/trace_of.h), or vectors of the tool and of tests.
//
// Tables are as long as they may get; `result` says how much of them is in use, and grows while the program runs.
// Events and operands are rings: event `sequence` is at `sequence % size`, and older ones are overwritten.
#pragma once

#include <cstdint>
#include <span>

#include "model/coverage.h"
#include "model/event.h"
#include "model/execution.h"
#include "model/plan.h"
#include "model/tables.h"

namespace ravel {

struct TraceView {
  const ExecutionResult* result = nullptr;
  const PlanSpec* plan = nullptr;
  std::span<const Event> events{};
  // What else is needed to know how an event would come out in another order: of a store or plain write the value
  // before, of another atomic write the value after, of a failed compare-exchange and of a futex wait the value
  // expected, of a signal or data choice the number of alternatives, of an arrival the threads per round; else bit 0:
  // it was timed, above: how often fair time had advanced. kNoPoint: the event was no scheduling point. Empty: a trace
  // without them.
  std::span<const std::uint64_t> operands{};
  std::span<const ThreadRecord> threads{};
  std::span<const ObjectRecord> objects{};
  std::span<const DecisionRecord> decisions{};
  std::span<const ThreadIndex> enabled{};  // DecisionRecord::enabled_at
  std::span<const Segment> schedule{};
  std::span<const PendingRecord> pending{};
  std::span<const ContextRecord> contexts{};
  std::span<const ModuleRecord> modules{};
  std::span<const CodeRange> system_code{};           // of the program, from headers of the system, by start
  std::span<const FirstFunctions> first_functions{};  // by thread
  std::span<const RankedChoice> ranked{};             // of a guided search: result.guide
  std::span<const SequenceEvent> gate{};              // PlanSpec::sequence

  [[nodiscard]] std::uint64_t operand(std::uint64_t sequence) const {
    return operands.empty() ? 0 : operands[sequence & (operands.size() - 1)];
  }
};

}  // namespace ravel
