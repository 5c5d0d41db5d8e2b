// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An execution that did not end: the shortest sequence of events that repeats at the end of its trace, as the
// locations a person should look at.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/names.h"

namespace ravel {

struct CycleReport {
  std::vector<std::string> lines;
  std::vector<ThreadIndex> threads;
  LocationId location = 0;
  ContextId context = 0;
};

CycleReport find_cycle(Names& names);
// Length of the shortest block that fills the last events at least three times (or twice if it is long); 0 if none.
std::size_t cycle_length(const std::vector<Event>& events);

}  // namespace ravel
