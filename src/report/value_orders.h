// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The value schedule of an execution in words: which of its conflicting accesses came first. Conflicts are those of
// semantics/dependence.h between threads that creation and joining do not order; releases of a lock are left out, since
// the order of its acquisitions says the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/text/value_schedule.h"
#include "report/names.h"
#include "report/sequence.h"

namespace ravel {

struct EventOrder {
  std::size_t first = 0;  // indices of events
  std::size_t second = 0;
  ValueRelation relation = ValueRelation::kBefore;
};

// The orders from which all others follow, with those of each thread's own program.
std::vector<EventOrder> needed_orders(const ExecutionRecord& record);

// All pairs among these events that conflict, in the order in which they came, but for those of threads that creation
// and joining order. `events`: ascending indices.
std::vector<EventOrder> concurrent_conflicts(const ExecutionRecord& record, const std::vector<std::size_t>& events);

// Two operations conflict, and both belong in a value schedule.
bool is_ordered_pair(const Event& a, const Event& b);

// The accesses of an execution, by names.
class ValueAccesses {
 public:
  explicit ValueAccesses(Names& names) : names_(names), objects_(names) {}

  // `from`: with the call around it.
  ValueAccess describe(std::size_t event, bool from);
  // ... of an operation behind the first `before` events, which may never have come.
  ValueAccess describe(const Event& e, std::size_t before, bool from);
  // Threads are given by lineage.
  std::optional<std::size_t> find(const ValueAccess& access);
  // Empty: it holds; else why not.
  std::string violation(const ValueOrder& order);
  // An event that `->def' or `->acq' does not allow between these two.
  [[nodiscard]] std::optional<std::size_t> between(std::size_t first, std::size_t second, ValueRelation relation) const;
  [[nodiscard]] SourceLine place_of_event(std::size_t event);
  [[nodiscard]] std::string object_of_event(std::size_t event);
  [[nodiscard]] Names& names() { return names_; }

 private:
  const std::vector<std::size_t>& events_of(const std::string& lineage, OpKind kind);
  SourceLine line_of_access(const Event& e);
  SourceLine call_of(const Event& e);
  std::string object_of(const Event& e);
  bool is_same(const Event& e, const ValueAccess& access);
  bool is_pending(const ValueAccess& access);
  std::string order_violation(std::size_t first, std::size_t second, const ValueOrder& order);
  std::string wake_violation(std::size_t signal, std::size_t end, const ValueOrder& order);
  std::string common_lock(std::size_t first, std::size_t second);

  Names& names_;
  SequenceNames objects_;
  std::map<std::uint64_t, std::string> texts_;  // of objects, by place
  std::map<std::uint64_t, SourceLine> lines_;   // by location and context
  std::map<std::pair<std::string, OpKind>, std::vector<std::size_t>> events_of_;
};

// All orders of an execution as a file; `contexts`: accesses with the call around them.
ValuesFile values_of(Names& names, bool contexts);

}  // namespace ravel
