// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/trace_import.h"

#include "model/text/words.h"

namespace ravel {

ExecutionRecord record_of(const Trace& trace, Symbolizer& symbolizer) {
  ExecutionRecord record;
  record.events = trace.events;
  record.total_events = trace.events.size();
  record.threads = trace.threads;
  record.objects = trace.objects;
  record.object_names = trace.object_names;
  record.contexts.resize(1);
  record.modules.resize(kMaxModules);  // named locations are in the last slot
  for (Event& event : record.events) event.context = 0;
  for (std::size_t i = 0; i < trace.locations.size(); ++i) {
    const std::string& text = trace.locations[i];
    const std::size_t colon = text.rfind(':');
    Frame frame;
    frame.file = text.substr(0, colon);
    if (colon != std::string::npos) frame.line = number_of<std::uint32_t>(text.substr(colon + 1)).value_or(0);
    if (frame.line == 0) frame.function = text;
    symbolizer.set_frame(kNamedLocation + static_cast<LocationId>(i), std::move(frame));
  }
  return record;
}

}  // namespace ravel
