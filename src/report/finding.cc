// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/hash.h"
#include "model/text/printable.h"
#include "report/cycle.h"
#include "report/detection_text.h"
#include "report/explanation.h"
#include "report/failure_place.h"
#include "report/heap_text.h"
#include "report/interleaving.h"
#include "report/lock_spans.h"
#include "report/race_text.h"
#include "report/waits.h"

namespace ravel {
namespace {

std::string default_message(const ExecutionRecord& record) {
  switch (record.outcome) {
    case OutcomeKind::kSignal:
      return fmt::format("ended by signal {} ({})", record.signal, strsignal(record.signal));
    case OutcomeKind::kExitCode:
      return fmt::format("exit status {}", record.exit_status);
    case OutcomeKind::kDeadlock:
      return fmt::format("{} threads wait for ever", record.waiting.size());
    case OutcomeKind::kStepLimit:
      return fmt::format("repeats itself for ever: no end after {} steps", record.steps);
    case OutcomeKind::kHang:
      return "no progress, and not blocked in anything Ravel controls";
    case OutcomeKind::kException:
      return "uncaught exception";
    default:
      return std::string(outcome_name(record.outcome));
  }
}

void add_threads(Finding& finding, const ExecutionRecord& record, std::vector<ThreadIndex> threads) {
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  for (ThreadIndex thread : threads) finding.threads.push_back(finding_thread(record, thread));
}

std::string fault_text(Names& names, const FaultRecord& fault) {
  std::string_view what = "a fault";
  switch (fault.fault) {
    case kFaultSpuriousWakeup:
      what = "wait ended without a signal";
      break;
    case kFaultWeakCas:
      what = "compare_exchange_weak failed although the values agree";
      break;
    case kFaultTryLock:
      what = "try-lock failed although the lock was free";
      break;
    case kFaultEagain:
      what = "creation of a thread failed with EAGAIN";
      break;
    case kFaultEintr:
      what = "blocking call interrupted (EINTR)";
      break;
    case kFaultAlloc:
      what = "allocation failed";
      break;
    default:
      break;
  }
  return fmt::format("{} in {} at {}", what, names.thread_title(fault.thread),
                     names.place_text(fault.location, fault.context));
}

void add_run_facts(Finding& finding, Names& names) {
  const ExecutionRecord& record = names.record();
  for (const FaultRecord& fault : record.injected) finding.injected.push_back(fault_text(names, fault));
  finding.explore_call = record.explore_call;
  finding.explore_name = printable_line(record.explore_name);
  finding.observations = record.observations;
  finding.switches = record.switches;
  finding.preemptions = record.preemptions;
  finding.needs_timeout = record.timeout_fired;
  finding.faults = record.faults;
  finding.events = record.total_events;
  finding.stdout_text = record.stdout_text;
  finding.stderr_text = record.stderr_text;
}

// The step that left a thread without its lock is where the other one took it.
void add_lock_roles(Finding& finding, Names& names) {
  const ExecutionRecord& record = names.record();
  for (const WaitingRecord& waiting : record.waiting) {
    if (waiting.holder == kNoThread || waiting.role != HolderRole::kOwner) continue;
    const std::uint64_t place = (std::uint64_t{waiting.object} << 32) | waiting.offset;
    for (std::size_t i = record.events.size(); i-- > 0;) {
      const Event& event = record.events[i];
      const LockChange change = lock_change(event);
      const bool takes = change.step == LockStep::kTake || change.step == LockStep::kTakeShared;
      if (event.thread != waiting.holder || !takes || change.place != place) continue;
      finding.roles.push_back({record.first_sequence() + i,
                               fmt::format("T{} takes it; T{} waits for it in the end", event.thread, waiting.thread)});
      break;
    }
  }
}

// The last thing the failing thread did that is shown.
void add_last_step(Finding& finding, ThreadIndex thread) {
  for (std::size_t i = finding.interleaving.size(); i-- > 0;) {
    const InterleavingLine& line = finding.interleaving[i];
    if (line.gap || line.sequence == 0 || line.thread != thread) continue;
    finding.roles.push_back({line.sequence, "last step before the failure"});
    return;
  }
}

}  // namespace

std::vector<EventRole> event_roles(const Finding& finding) {
  std::map<std::uint64_t, std::string> parts;
  for (const EventRole& role : finding.roles) {
    std::string& text = parts[role.event];
    text += (text.empty() ? "" : "; ") + role.text;
  }
  for (const DecisiveEvent& event : finding.decisive) {
    if (!event.happened) continue;
    std::string& text = parts[event.sequence];
    text = text.empty() ? "its place in the order decides" : "its place in the order decides; " + text;
  }
  const auto add_evidence = [&](const Finding& named) {
    for (std::size_t i = 0; i < named.evidence.size(); ++i) {
      std::string& text = parts[named.evidence[i].sequence];
      text += fmt::format("{}{} of {} in the {}", text.empty() ? "" : "; ", i + 1, named.evidence.size(),
                          outcome_name(named.kind));
    }
  };
  add_evidence(finding);
  for (const Finding& cause : finding.causes) add_evidence(cause);
  std::vector<EventRole> out;
  for (auto& [event, text] : parts) out.push_back({event, std::move(text)});
  return out;
}

std::uint64_t defect_fingerprint(const Finding& finding) {
  std::uint64_t hash = hash_bytes(0, outcome_name(finding.kind));
  hash = hash_bytes(hash, finding.place.function);
  if (finding.kind == OutcomeKind::kDataRace) return hash_bytes(hash, finding.identity);
  hash = hash_combine(hash, finding.place.line);
  return hash_bytes(hash, finding.message);
}

SourcePlace source_place(Names& names, LocationId location, ContextId context) {
  const Frame& frame = names.user_frame(location, context);
  if (location == 0) return {};
  return {names.place_text(location, context),
          frame.file,
          names.short_name(frame.file),
          frame.line,
          frame.column,
          frame.function};
}

FindingThread finding_thread(const ExecutionRecord& record, ThreadIndex thread) {
  FindingThread out;
  out.index = thread;
  out.lineage = lineage_of(record.threads, thread);
  if (thread < record.threads.size()) out.name = printable_line(text_of(record.threads[thread].name));
  return out;
}

Finding describe_outcome(Names& names) {
  const ExecutionRecord& record = names.record();
  Finding finding;
  finding.kind = record.outcome;
  finding.message = printable_line(record.message.empty() ? default_message(record) : record.message);
  add_run_facts(finding, names);

  auto [location, context] = failure_place(names);
  std::vector<ThreadIndex> threads;
  if (record.outcome == OutcomeKind::kDeadlock) {
    const WaitReport waits = explain_waits(names);
    finding.details = waits.lines;
    threads = waits.threads;
    if (location == 0 && !record.waiting.empty()) {
      location = waits.location;
      context = waits.context;
    }
  } else if (record.outcome == OutcomeKind::kStepLimit || record.outcome == OutcomeKind::kHang) {
    const CycleReport cycle = find_cycle(names);
    finding.details = cycle.lines;
    threads = cycle.threads;
    if (location == 0) {
      location = cycle.location;
      context = cycle.context;
    }
  } else if (is_about_heap(record.outcome)) {
    const HeapReport heap = explain_heap(names);
    finding.details = heap.lines;
    threads = heap.threads;
  } else {
    threads.push_back(record.thread);
  }
  Interleaving interleaving;
  if (record.outcome != OutcomeKind::kStepLimit) interleaving = interesting_events(names);  // its cycle says it all
  finding.interleaving = interleaving.lines;
  if (record.outcome != OutcomeKind::kDeadlock) {
    threads.insert(threads.end(), interleaving.threads.begin(), interleaving.threads.end());
  }
  if (record.outcome == OutcomeKind::kDeadlock) {
    add_lock_roles(finding, names);
  } else {
    add_last_step(finding, record.thread);
  }
  add_threads(finding, record, std::move(threads));
  finding.location = source_place(names, location, context);
  finding.place = names.user_place(location, context);
  return finding;
}

Finding describe_race(Names& names, const RaceRecord& race) {
  const ExecutionRecord& record = names.record();
  Finding finding;
  finding.kind = OutcomeKind::kDataRace;
  add_run_facts(finding, names);
  const RaceReport text = explain_race(names, race);
  finding.message = text.message;
  finding.identity = text.identity;
  finding.sides = text.sides;
  finding.details = text.lines;
  add_threads(finding, record, {race.first.thread, race.second.thread});
  finding.location = source_place(names, race.second.location, race.second.context);
  finding.place = names.user_place(race.second.location, race.second.context);
  finding.interleaving = events_around_race(names, race).lines;
  finding.roles = {{race.first_seq, "first access"},
                   {race.second_seq, "second access: nothing orders it after the first"}};
  finding.decisive = {decisive_event(names, race.first, race.first_seq),
                      decisive_event(names, race.second, race.second_seq)};
  mark_decisive(finding);
  return finding;
}

Finding describe_detection(Names& names, const DetectionRecord& found) {
  const ExecutionRecord& record = names.record();
  Finding finding;
  finding.kind = found.kind;
  add_run_facts(finding, names);
  DetectionText text = explain_detection(names, found);
  finding.message = text.message;
  finding.detector = text.detector;
  finding.heuristic = text.heuristic;
  finding.fingerprint = found.key;
  finding.details = std::move(text.lines);
  finding.evidence = std::move(text.events);
  std::vector<ThreadIndex> threads;
  for (unsigned i = 0; i < found.roles; ++i) threads.push_back(found.role[i].event.thread);
  add_threads(finding, record, std::move(threads));
  if (found.roles != 0) {
    const Event& last = found.role[found.roles - 1].event;
    finding.location = source_place(names, last.location, last.context);
    finding.place = names.user_place(last.location, last.context);
  }
  finding.interleaving = events_of_detection(names, found).lines;
  return finding;
}

}  // namespace ravel
