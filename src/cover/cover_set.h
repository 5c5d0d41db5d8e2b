// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The metrics that are on, behind one call per event, and the coverage of the execution in hand. An observer: in the
// worker beside the program, in the tool over a trace. The set of tasks of a trace is kept by the trace's key, so that
// an execution that is known is counted without being looked at.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/place_map.h"
#include "causality/observer.h"
#include "cover/cover_tables.h"
#include "cover/identity.h"
#include "cover/metric.h"
#include "cover/metric_table.h"
#include "cover/saturation.h"
#include "cover/task_buffer.h"

namespace ravel {

// What the tasks of one metric say about an execution.
struct TaskNews {
  std::uint32_t fresh = 0;  // tasks that no execution before had
  std::uint64_t set = 0;    // the same for executions with the same tasks
};

class CoverSet final : public Observer {
 public:
  CoverSet(std::pmr::memory_resource& scratch, CoverTables& tables, std::uint32_t metrics, IdentityModes modes);

  [[nodiscard]] Wants wants() const override;
  void begin(const TraceView& trace) override;
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  // Accesses may be missing here; for metrics that work on bursts.
  void gap();
  [[nodiscard]] bool truncated() const override;
  [[nodiscard]] bool recall(std::uint64_t trace_key) override;
  void keep(std::uint64_t trace_key) override;

  // No execution is in hand: the next count() counts nothing unless one was seen to its end.
  void forget() { has_set_ = false; }
  // Of the execution in hand, before it is counted.
  [[nodiscard]] TaskNews news(MetricId metric) const;
  // The execution that was seen counts. Yields the number of tasks that no execution before it had.
  std::uint32_t count(bool failed);
  [[nodiscard]] Saturation& saturation() { return saturation_; }
  [[nodiscard]] const CoverTables& tables() const { return tables_; }
  [[nodiscard]] CoverTables& tables() { return tables_; }

 private:
  static constexpr std::uint32_t kMostKnownTraces = 1u << 17;

  void access(const Event& e, std::uint64_t sequence);
  void access_variable(const Event& e, std::uint64_t sequence, std::uint32_t offset, std::uint32_t size);
  [[nodiscard]] bool counts_on_stack(const Event& e, std::uint64_t variable);
  [[nodiscard]] Atom resolved(Atom atom);
  void count_objects(std::span<const Atom> fields);

  CoverTables& tables_;
  Identity identity_;
  TaskBuffer tasks_;
  HeldLocks locks_;
  const std::uint32_t metrics_;
  MetricList list_;
  PlaceMap variables_;      // those accessed so far, for accesses to ranges
  PlaceMap foreign_stack_;  // variables on a stack that another thread has accessed
  PlaceMap known_;          // trace key -> set of tasks + 1
  std::uint32_t* numbers_;  // tasks of the execution, while they are put in order
  Saturation saturation_;
  std::uint32_t set_ = 0;
  bool has_set_ = false;
  bool overflow_ = false;
  bool gapped_ = false;  // there may be more variables than those accessed so far
};

}  // namespace ravel
