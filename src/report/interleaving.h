// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Chooses, of all events of a failing execution, those a person has to see: operations on places that two threads use
// and one of them changes, and the last step of whoever failed. The rest becomes "... n events of T1".
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "report/finding.h"

namespace ravel {

inline constexpr std::size_t kMaxShownEvents = 40;

struct Interleaving {
  std::vector<InterleavingLine> lines;
  std::vector<ThreadIndex> threads;  // those that appear
};

Interleaving interesting_events(Names& names);
// The end of the trace as it is, for a replay that was stopped.
Interleaving last_events(Names& names, std::size_t count);
// Only what touches the raced place, and the locks of both threads, near the race.
Interleaving events_around_race(Names& names, const RaceRecord& race);

// The events that a detector's finding rests on, and what their threads did to the same places in between.
Interleaving events_of_detection(Names& names, const DetectionRecord& found);

// What the program called: a writer that has to wait tells the readers with a failed attempt of its own before it
// waits.
OpKind shown_kind(const Event& event);
InterleavingLine event_line(Names& names, const Event& event);
// "-> 100", "= 5", "wakes T2"; empty if there is nothing to say.
std::string event_value(Names& names, const Event& event);
// A plain write is seen before it happens, so its event may have no value; then what the next reader sees is it, by
// index of the write.
std::unordered_map<std::size_t, std::uint64_t> written_values(const std::vector<Event>& events);
std::string written_text(std::uint64_t value, const Event& event);
// Says nothing to a person: heap, starts and ends, and plain accesses of library code that no user's line called.
bool is_background(OpKind kind);
bool is_machinery(Names& names, const Event& event);

}  // namespace ravel
