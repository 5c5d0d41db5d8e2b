// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_coverage.h"

#include <memory_resource>

#include "cover/cover_set.h"
#include "report/cover_rows.h"
#include "report/coverage_naming.h"
#include "report/trace_coverage.h"

namespace ravel {

struct FreeCoverage::State {
  explicit State(const CoverageRequest& request)
      : rows(kRows),
        tables(scratch, rows.memory(), CoverCounts{}),
        set(scratch, tables, request.metrics, {request.threads, request.objects, request.functions}),
        system_code(request.system_code) {}

  static constexpr CoverCapacity kRows{1u << 18, 1u << 14, 1u << 16, 1u << 20, 1u << 22, 1u << 18, 1u << 14, 1u << 16};
  std::vector<ModuleName> modules;
  std::vector<ObjectRecord> objects;  // of the last run
  std::pmr::monotonic_buffer_resource scratch;
  CoverRows rows;
  CoverTables tables;
  CoverSet set;
  std::vector<CodeRange> system_code;
  bool truncated = false;
};

FreeCoverage::FreeCoverage(const CoverageRequest& request) : state_(std::make_unique<State>(request)) {}
FreeCoverage::~FreeCoverage() = default;

std::uint32_t FreeCoverage::add(const FreeTrace& trace, bool failed) {
  const ExecutionRecord& record = trace.record;
  state_->modules = record.modules;
  state_->objects = record.objects;
  state_->truncated = state_->truncated || !trace.from_start || !trace.doubt.empty();
  const auto result = std::make_unique<ExecutionResult>();
  result->outcome = record.outcome;
  const TraceView view{.result = result.get(),
                       .events = record.events,
                       .threads = record.threads,
                       .objects = record.objects,
                       .contexts = record.contexts,
                       .system_code = state_->system_code,
                       .first_functions = trace.functions};
  CoverSet& set = state_->set;
  look_through(set, view, trace.holes);
  state_->truncated = state_->truncated || set.truncated();
  return set.count(failed);
}

std::uint32_t FreeCoverage::tasks() const {
  return state_->tables.counts().tasks;
}

void FreeCoverage::name(TaskCoverage& coverage) const {
  CoverageData data = state_->rows.used(state_->tables.counts());
  data.modules = state_->modules;
  data.objects_seen = state_->objects;
  data.truncated = data.truncated || state_->truncated;
  name_coverage(std::vector<CoverageData>{std::move(data)}, coverage);
}

}  // namespace ravel
