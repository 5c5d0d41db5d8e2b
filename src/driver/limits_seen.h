// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the tested process has written down about its own limits, copied out of shared memory and checked: calls that
// are not controlled, and the first event in which two runs of a plan differed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/execution_record.h"

namespace ravel {

struct Uncontrolled {
  std::string call;
  std::string detail;
  LocationId location = 0;
  std::uint32_t times = 0;
};

struct Difference {
  std::uint64_t execution = 0;
  std::uint64_t sequence = 0;
  bool outcome_only = false;   // all events are the same
  std::optional<Event> first;  // nothing: the trace had ended
  std::optional<Event> second;
  OutcomeKind first_outcome = OutcomeKind::kNotRun;
  OutcomeKind second_outcome = OutcomeKind::kNotRun;
};

// With the modules that their locations are in.
struct LimitsSeen {
  std::vector<ModuleName> modules;
  std::vector<Uncontrolled> uncontrolled;
  std::optional<Difference> difference;

  // Of another session of the same program.
  void merge(LimitsSeen other);
};

LimitsSeen read_limits(const SharedBlock& block);

}  // namespace ravel
