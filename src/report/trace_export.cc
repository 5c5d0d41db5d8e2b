// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/trace_export.h"

#include <unordered_map>

#include "model/text/trace_text.h"

namespace ravel {
namespace {

// The words of the text form have no blanks: "heap+8 (40 bytes from a.cpp:3)" becomes "heap+8".
std::string as_word(std::string text) {
  text = text.substr(0, text.find(' '));
  for (char& c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (!plain) c = '_';
  }
  return is_trace_name(text) ? text : std::string{};
}

}  // namespace

std::string trace_as_text(Names& names) {
  const ExecutionRecord& record = names.record();
  Trace trace = empty_trace();
  trace.events = record.events;
  trace.threads = record.threads;
  trace.objects = record.objects;
  trace.thread_names.resize(trace.threads.size());
  trace.object_names.resize(trace.objects.size());
  for (ThreadIndex i = 0; i < trace.threads.size(); ++i)
    trace.thread_names[i] = as_word(text_of(trace.threads[i].name));
  // Locations become the lines a person knows; several calls on one line are one location of the text.
  std::unordered_map<std::string, LocationId> known;
  for (Event& event : trace.events) {
    if (event.location == 0) continue;
    const std::string text = names.place_text(event.location, event.context);
    const auto [entry, fresh] =
        known.try_emplace(text, kNamedLocation + static_cast<LocationId>(trace.locations.size()));
    if (fresh) trace.locations.push_back(text);
    event.location = entry->second;
    event.context = 0;
  }
  for (ObjectRecord& object : trace.objects) {
    object.site = 0;
    object.site_context = 0;
  }
  return print_trace(trace);
}

}  // namespace ravel
