// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Finding: what is reported of one confirmed defect, as values. Console and JSON only render it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/outcome.h"
#include "report/names.h"

namespace ravel {

struct SourcePlace {
  std::string text;  // "bank.cpp:14", or what is known
  std::string file;  // empty if unknown
  std::string path;  // the same relative to the present folder where that is shorter
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;
};

struct FindingThread {
  ThreadIndex index = 0;
  std::string lineage;
  std::string name;
};

struct Timeline;  // report/timeline.h

// An event that plays a part in the defect. Events are numbered from 0, as `replay --until N` counts them.
struct EventRole {
  std::uint64_t event = 0;
  std::string text;  // the part
};

// One line of the interleaving: an event, or a run of events that are not shown.
struct InterleavingLine {
  bool gap = false;
  ThreadIndex thread = 0;
  std::string place;
  std::string operation;  // "read", "lock"; of a gap: "... 12 events of T1"
  std::string object;
  std::string value;  // "-> 100"; empty if not known
  bool failing = false;
  SourcePlace source{};        // the same place for machines
  bool decisive = false;       // see Finding::decisive
  std::uint64_t sequence = 0;  // of the event; of a gap, a wait and the failure itself 0
};

// How the schedule shown was made simpler than the one that was found.
struct Simplification {
  bool tried = false;
  bool fewest_preemptions = false;  // proved: no schedule with fewer shows the defect
  std::uint64_t executions = 0;     // spent on it
  double seconds = 0;
  std::string original_plan;  // empty: the schedule is the one that was found
  std::uint32_t original_preemptions = 0;
  std::uint32_t original_switches = 0;
  std::uint64_t original_events = 0;
};

// One of the two or three events whose order decides whether the execution fails, in the order of the failing one.
struct DecisiveEvent {
  std::uint64_t sequence = 0;
  ThreadIndex thread = 0;
  std::string operation;
  std::string object;
  std::string value;
  SourcePlace location;
  bool happened = true;  // false: the thread was about to do it when the execution ended
};

// An event that a detector's finding rests on.
struct FindingEvent {
  std::uint64_t sequence = 0;
  ThreadIndex thread = 0;
  std::string operation;
  std::string object;
  SourcePlace place;
  std::vector<std::string> locks;  // held by its thread, each with the place where it was taken
};

// What makes two data races the same one, or two.
struct RaceSides {
  std::string object;     // the variable or block as a whole, by a name that lasts
  std::string functions;  // of the program, that access it; in the order of their names
  bool named = false;     // the object has a name in the program
  bool both_write = false;
  bool one_locked = false;  // a lock is held on one side and none on the other
};

// A task that separates failing from passing executions.
struct SuspectLine {
  std::string metric;
  std::string task;
  std::uint64_t failing_with = 0;  // executions
  std::uint64_t failing = 0;
  std::uint64_t passing_with = 0;
  std::uint64_t passing = 0;
  double p = 1;              // Fisher's exact test, one-sided, corrected by Holm
  std::uint32_t places = 0;  // that the task names
};

struct Finding {
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::string message;   // one line
  std::string identity;  // of a race: equal for the same two lines, whichever thread came first
  RaceSides sides;       // of a race
  SourcePlace location;
  PlaceName place;  // the same by lasting names
  std::vector<FindingThread> threads;
  std::uint32_t switches = 0;
  std::uint32_t preemptions = 0;
  Simplification simplified;
  std::vector<DecisiveEvent> decisive;   // empty: not looked for, or not found
  std::vector<std::string> explanation;  // of their order, in words
  bool needs_timeout = false;            // an adversarial time-out was used
  std::uint32_t faults = 0;
  std::vector<std::string> injected;  // each fault in words, as far as recorded
  std::uint32_t explore_call = 0;     // the execution is the body of this call of explore(); 0: the whole program
  std::string explore_name;
  std::vector<Observation> observations;
  std::vector<std::string> details;  // lines below the message
  std::vector<InterleavingLine> interleaving;
  std::vector<EventRole> roles;              // also of events that the interleaving does not show
  std::shared_ptr<const Timeline> timeline;  // all events, if a format asked for them; shared by findings of one run
  std::uint64_t execution = 0;
  std::uint32_t times_seen = 0;
  std::uint64_t hash = 0;
  std::uint64_t events = 0;
  std::string plan;         // path of the plan file
  std::string seed_string;  // empty if too long to be useful
  std::string stdout_text;
  std::string stderr_text;
  std::string detector;           // that named it; empty: the execution itself failed
  bool heuristic = false;         // what the detector reports may be intended
  std::uint64_t fingerprint = 0;  // of a detector's finding: equal for the same defect in each execution of this build
  std::vector<FindingEvent> evidence;
  std::vector<Finding> causes;        // defects named by detectors that this one is the consequence of
  std::vector<std::string> folds;     // races of the same cause that this one stands for: their messages
  std::string folded_into;            // ... and the fingerprint of the one that stands for this
  std::vector<SuspectLine> suspects;  // of a campaign that measured coverage
  std::vector<Finding> related;       // races on the same objects, found in the same execution
};

// Roles, decisive events and the evidence of detectors together: each event once, in the order of the execution.
std::vector<EventRole> event_roles(const Finding& finding);
// Equal for the same defect in any run of any build that did not change the function it is in.
[[nodiscard]] std::uint64_t defect_fingerprint(const Finding& finding);
SourcePlace source_place(Names& names, LocationId location, ContextId context);
FindingThread finding_thread(const ExecutionRecord& record, ThreadIndex thread);

// The defect that this execution ended with (record.outcome).
Finding describe_outcome(Names& names);
// A data race of this execution.
Finding describe_race(Names& names, const RaceRecord& race);
// What a detector found in this execution, in the words of its row in detect/detector_table.h.
Finding describe_detection(Names& names, const DetectionRecord& found);

}  // namespace ravel
