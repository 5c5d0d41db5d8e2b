// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/failure_place.h"

#include "symbols/system_library.h"

namespace ravel {

// memcpy() and its kin are events of the line that calls them: what the thread did last, if that was in the same call.
FailurePlace failure_place(Names& names) {
  const ExecutionRecord& record = names.record();
  const FailurePlace there{record.location, record.context};
  if (record.outcome != OutcomeKind::kSignal || record.location == 0 ||
      !is_system_library(names.symbolizer().module_path(module_slot(record.location)))) {
    return there;
  }
  for (std::size_t i = record.events.size(); i-- > 0;) {
    const Event& event = record.events[i];
    if (event.thread != record.thread) continue;
    const bool same_call = event.context == record.context && event.location != 0;
    return same_call ? FailurePlace{event.location, event.context} : there;
  }
  return there;
}

}  // namespace ravel
