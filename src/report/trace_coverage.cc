// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/trace_coverage.h"

#include <memory>
#include <memory_resource>

#include "cover/cover_set.h"
#include "driver/coverage_data.h"
#include "report/cover_rows.h"
#include "report/coverage_naming.h"

namespace ravel {
namespace {

// Of one execution: as long as tables may get, but not what a campaign may need.
constexpr CoverCapacity kRows{1u << 18, 1u << 14, 1u << 16, 1u << 18, 1u << 18, 1, 0, 0};

}  // namespace

void look_through(CoverSet& set, const TraceView& trace, std::span<const TraceHole> holes) {
  set.begin(trace);
  const Wants wants = set.wants();
  std::size_t sequence = 0;
  auto hole = holes.begin();
  for (const Event& e : trace.events) {
    for (; hole != holes.end() && hole->last <= sequence; ++hole) set.gap();
    const bool lost = hole != holes.end() && hole->first <= sequence && op_class(e.kind) == OpClass::kPlain;
    if (!lost && (wants & wanted(op_class(e.kind))) != 0) set.on_event(e, Moment{sequence, {}, 0});
    ++sequence;
  }
  set.finish(trace);
}

TaskCoverage coverage_of(const Trace& trace, std::uint32_t metrics, std::span<const TraceHole> holes) {
  std::pmr::monotonic_buffer_resource scratch;
  const CoverRows made(kRows);
  CoverTables tables(scratch, made.memory(), CoverCounts{});
  CoverSet set(scratch, tables, metrics, {ThreadIdentity::kNamed, ObjectIdentity::kNamed, 1});
  // A trace does not say how its execution ended; one that reached its last event is taken for a complete one.
  const auto result = std::make_unique<ExecutionResult>();
  result->outcome = OutcomeKind::kCompleted;
  const TraceView view{
      .result = result.get(), .events = trace.events, .threads = trace.threads, .objects = trace.objects};
  look_through(set, view, holes);
  set.count(false);
  CoverageData data = made.used(tables.counts());
  TaskCoverage coverage;
  coverage.metrics = metrics;
  coverage.identity = "named";
  name_coverage(data, trace, coverage);
  return coverage;
}

}  // namespace ravel
