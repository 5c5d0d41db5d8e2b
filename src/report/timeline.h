// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Timeline: a whole execution in the words of a person, for formats that draw it. Texts are kept once and named by
// index; entry 0 of each table is empty and means "nothing known". All texts may hold whatever the program put there:
// who renders them escapes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "report/finding.h"
#include "report/lock_spans.h"
#include "report/order_edges.h"

namespace ravel {

struct SequenceRaces;

struct TimelineEvent {
  OpKind kind = OpKind::kNone;
  std::uint8_t bits = 0;  // of Event
  bool quiet = false;     // background and library code: hidden unless asked for
  ThreadIndex thread = 0;
  std::uint32_t place = 0;
  std::uint32_t object = 0;
  std::uint32_t value = 0;
};

// What a thread wanted when the execution ended and could not have.
struct TimelineWait {
  ThreadIndex thread = 0;
  OpKind wants = OpKind::kNone;
  std::uint32_t place = 0;
  std::uint32_t object = 0;
  ThreadIndex holder = kNoThread;  // of the lock
};

struct TimelineLock {
  ThreadIndex thread = 0;
  std::uint32_t object = 0;
  std::uint32_t from = 0;  // index of the event
  std::uint32_t to = 0;    // the number of events: held to the end
  bool shared = false;
};

struct TimelineFile {
  std::string path;
  std::uint32_t first_line = 1;
  std::vector<std::string> lines;  // empty: could not be read
};

// An event of the SYN-sequence, for the space-time diagram.
struct TimelineSequenceEvent {
  std::string thread;              // lineage
  std::string object;              // empty: a label
  std::string text;                // "lock queue.mutex_"
  std::uint32_t event = 0;         // index of the event; the number of events: it never came
  std::vector<std::string> races;  // calls that could have been completed instead
};

struct Timeline {
  std::uint64_t first_event = 0;  // number of events[0]; more than 0 when the beginning was overwritten
  std::vector<FindingThread> threads;
  std::vector<SourcePlace> places;
  std::vector<std::string> objects;
  std::vector<std::string> values;
  std::vector<TimelineEvent> events;
  std::vector<TimelineLock> locks;
  std::vector<OrderEdge> edges;
  bool edges_exact = true;
  std::vector<TimelineWait> waits;
  std::vector<TimelineFile> files;  // those of the user that `places` lie in
  OutcomeKind outcome = OutcomeKind::kNotRun;
  ThreadIndex failing_thread = kNoThread;
  std::uint32_t failing_place = 0;
  std::vector<TimelineSequenceEvent> sequence;
  bool sequence_races = false;  // the sets of races are known
};

// `races` may be null.
std::shared_ptr<const Timeline> make_timeline(Names& names, const SequenceRaces* races = nullptr);

}  // namespace ravel
