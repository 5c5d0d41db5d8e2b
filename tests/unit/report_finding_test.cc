// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reports on hand-written traces.
#include "report/finding.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "model/text/trace_text.h"
#include "report/console.h"
#include "report/cycle.h"
#include "report/explanation.h"
#include "report/interleaving.h"
#include "report/json_report.h"
#include "report/race_text.h"
#include "report/schedule_names.h"
#include "report/trace_export.h"
#include "report/trace_import.h"
#include "report/waits.h"
#include "semantics/rwlock.h"

namespace ravel {
namespace {

struct Told {
  explicit Told(const std::string& text) {
    auto trace = parse_trace(text);
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().text());
    if (trace) record = record_of(*trace, symbolizer);
  }
  Names names() { return Names(record, symbolizer); }
  Symbolizer symbolizer;
  ExecutionRecord record;
};

constexpr char kLostUpdate[] =
    "main write balance 4 @ bank.cpp:5\n"
    "main create T1 @ bank.cpp:20\n"
    "main create T2 @ bank.cpp:21\n"
    "T1 read balance 4 = 100 chosen @ bank.cpp:12\n"
    "T2 read balance 4 = 100 chosen @ bank.cpp:12\n"
    "T2 write balance 4 = 70 @ bank.cpp:12\n"
    "T1 write balance 4 = 130 chosen @ bank.cpp:12\n"
    "T1 write own 4 @ bank.cpp:13\n"
    "main read balance 4 = 130 chosen @ bank.cpp:31\n";

TEST(Interleaving, ShowsWhatTwoThreadsTouch) {
  Told told(kLostUpdate);
  told.record.outcome = OutcomeKind::kAssertion;
  told.record.message = "balance == 100";
  told.record.thread = 0;
  Names names = told.names();
  const Finding finding = describe_outcome(names);
  ConsoleOptions plain;
  const std::string text = console_finding(finding, plain);
  EXPECT_NE(text.find("FAILED  assertion `balance == 100'"), std::string::npos) << text;
  EXPECT_NE(text.find("bank.cpp:12  |                             read balance -> 100\n"), std::string::npos) << text;
  EXPECT_NE(text.find("|                             write balance = 70\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bank.cpp:31  read balance -> 130\n"), std::string::npos) << text;
  EXPECT_NE(text.find("assertion <-- fails here\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("own"), std::string::npos) << text;          // only T1 touches it
  EXPECT_EQ(text.find("bank.cpp:5 "), std::string::npos) << text;  // before any second thread
  EXPECT_NE(text.find("... 1 event of T1"), std::string::npos) << text;
  EXPECT_EQ(finding.threads.size(), 3u);
}

TEST(Interleaving, AWriterThatHasToWaitIsNoAttempt) {
  Told told("main create T1 @ a.cpp:1\nmain trywrlock lock @ a.cpp:2\n");
  Event& event = told.record.events.back();
  event.bits |= kFailed;
  Names names = told.names();
  EXPECT_EQ(event_line(names, event).operation, "trywrlock");
  EXPECT_EQ(event_line(names, event).value, "failed");
  event.value = kQueued;
  EXPECT_EQ(event_line(names, event).operation, "wrlock");
  EXPECT_EQ(event_line(names, event).value, "has to wait");
}

TEST(Interleaving, AValueHandedOverIsNotContention) {
  Told told(
      "main write argument 8 @ a.cpp:1\n"
      "main create T1 @ a.cpp:2\n"
      "T1 read argument 8 = 5 @ a.cpp:3\n");
  told.record.thread = 1;  // whose last event is shown in any case
  Names names = told.names();
  for (const InterleavingLine& line : describe_outcome(names).interleaving) EXPECT_NE(line.operation, "write");
}

TEST(Interleaving, AValueThatChangesWhileBothThreadsLiveIsShown) {
  Told told(
      "main create T1 @ a.cpp:1\n"
      "main write balance 8 = 5 @ a.cpp:2\n"
      "T1 read balance 8 = 5 @ a.cpp:3\n");
  told.record.thread = 1;
  Names names = told.names();
  bool shown = false;
  for (const InterleavingLine& line : describe_outcome(names).interleaving) shown = shown || line.operation == "write";
  EXPECT_TRUE(shown);
}

TEST(Interleaving, IsCapped) {
  std::string text = "main create T1 @ a.cpp:1\n";
  for (int i = 0; i < 200; ++i) text += "main write x 4 = 1 @ a.cpp:2\nT1 write x 4 = 2 @ a.cpp:3\n";
  Told told(text);
  Names names = told.names();
  const Finding finding = describe_outcome(names);
  EXPECT_LE(finding.interleaving.size(), 43u);
  EXPECT_TRUE(finding.interleaving.front().gap);
}

WaitingRecord waits(ThreadIndex thread, OpKind wants, ThreadIndex holder, ObjectId object = 0) {
  WaitingRecord waiting;
  waiting.thread = thread;
  waiting.wants = wants;
  waiting.holder = holder;
  waiting.role = wants == OpKind::kThreadJoin ? HolderRole::kJoined : HolderRole::kOwner;
  waiting.object = object;
  return waiting;
}

TEST(Deadlock, NamesTheAtomicThatALoopReReads) {
  Told told(
      "main create T1 @ a.cpp:1\n"
      "T1 load earlier 4 = 0 @ a.cpp:6\n"
      "T1 write seen 8 = 5 @ a.cpp:6\n"
      "T1 read pointer 8 = 5 @ a.cpp:7\n"
      "T1 load go 4 = 0 @ a.cpp:8\n"
      "main join T1 @ a.cpp:2\n");
  told.record.outcome = OutcomeKind::kDeadlock;
  WaitingRecord loop = waits(1, told.record.events[3].kind, kNoThread, told.record.events[3].object);
  loop.spinning = 1;
  loop.location = told.record.events[3].location;
  told.record.waiting = {loop};
  {
    Names names = told.names();
    const std::string text = console_finding(describe_outcome(names), {});
    EXPECT_NE(text.find("T1 (main.1) re-reads go, which no thread will change, at a.cpp:8"), std::string::npos) << text;
    EXPECT_NE(text.find("load go for ever"), std::string::npos) << text;
  }
  // Without an atomic in the round it is what the thread stands at, not what was read before.
  told.record.events[4] = told.record.events[3];
  Names names = told.names();
  const std::string text = console_finding(describe_outcome(names), {});
  EXPECT_NE(text.find("re-reads pointer, which no thread will change, at a.cpp:7"), std::string::npos) << text;
}

TEST(Deadlock, NamesWaitersHoldersAndTheCycle) {
  Told told(
      "main create T1 @ ab.cpp:40\n"
      "main create T2 @ ab.cpp:41\n"
      "T1 lock a chosen @ ab.cpp:10\n"
      "T2 lock b chosen @ ab.cpp:20\n");
  told.record.outcome = OutcomeKind::kDeadlock;
  const ObjectId a = told.record.events[2].object;
  const ObjectId b = told.record.events[3].object;
  WaitingRecord first = waits(1, OpKind::kMutexLock, 2, b);
  first.location = told.record.events[2].location;
  first.held_since = told.record.events[3].location;
  WaitingRecord second = waits(2, OpKind::kMutexLock, 1, a);
  second.location = told.record.events[3].location;
  told.record.waiting = {waits(0, OpKind::kThreadJoin, 1), first, second};
  Names names = told.names();
  const Finding finding = describe_outcome(names);
  const std::string text = console_finding(finding, {});
  EXPECT_NE(text.find("T0 (main) waits to join T1"), std::string::npos) << text;
  EXPECT_NE(text.find("T1 (main.1) waits for mutex b at ab.cpp:10, held by T2 since ab.cpp:20"), std::string::npos)
      << text;
  EXPECT_NE(text.find("cycle: T1 -> T2 -> T1"), std::string::npos) << text;
  EXPECT_NE(text.find("lock a"), std::string::npos) << text;
  EXPECT_NE(text.find("lock b never succeeds"), std::string::npos) << text;
  ASSERT_EQ(finding.threads.size(), 2u);
  EXPECT_EQ(finding.location.text, "ab.cpp:10");
}

// The order of two pops decides as well, and is nearer: a correct queue is not the cause of a wrong sum.
TEST(Explanation, IsAboutWhatTheFailingThreadSaw) {
  Told told(
      "main create T1 @ q.cpp:1\n"
      "main create T2 @ q.cpp:2\n"
      "T1 read head 4 @ q.cpp:10\n"    // 2
      "T2 write head 4 @ q.cpp:11\n"   // 3
      "T1 load total 4 @ q.cpp:20\n"   // 4
      "T2 load total 4 @ q.cpp:20\n"   // 5
      "T2 store total 4 @ q.cpp:21\n"  // 6
      "T1 store total 4 @ q.cpp:21\n"  // 7
      "main load total 4 @ q.cpp:30\n");
  told.record.outcome = OutcomeKind::kAssertion;
  told.record.thread = 0;
  const std::vector<DecisivePair> pairs = {{2, 3}, {4, 6}, {5, 7}};
  Names names = told.names();
  Finding finding = describe_outcome(names);
  finding.decisive.clear();
  explain_order(names, pairs, finding);
  ASSERT_EQ(finding.explanation.size(), 3u);
  EXPECT_NE(finding.explanation[1].find("T1 load total"), std::string::npos) << finding.explanation[1];
  EXPECT_NE(finding.explanation[2].find("T2 load total"), std::string::npos) << finding.explanation[2];
  // Where nothing is about it, the nearest stands.
  finding.decisive.clear();
  explain_order(names, std::vector<DecisivePair>{{2, 3}}, finding);
  EXPECT_NE(finding.explanation[1].find("T1 read head"), std::string::npos) << finding.explanation[1];
}

TEST(Deadlock, WhoWaitsFirstHoldsNothing) {
  Told told(
      "main create T1 @ rw.cpp:40\n"
      "main rdlock l @ rw.cpp:10\n");
  told.record.outcome = OutcomeKind::kDeadlock;
  const ObjectId lock = told.record.events[1].object;
  WaitingRecord reader = waits(0, OpKind::kRwReadLock, 1, lock);
  reader.role = HolderRole::kAhead;
  reader.location = told.record.events[1].location;
  WaitingRecord writer = waits(1, OpKind::kRwWriteLock, 0, lock);
  writer.location = told.record.events[0].location;
  told.record.waiting = {reader, writer};
  Names names = told.names();
  const std::string text = console_finding(describe_outcome(names), {});
  EXPECT_NE(text.find("(to read) at rw.cpp:10, behind T1, which waits to write"), std::string::npos) << text;
  EXPECT_NE(text.find("held by T0"), std::string::npos) << text;
  EXPECT_EQ(text.find("held by T1"), std::string::npos) << text;
  EXPECT_NE(text.find("cycle: T0 -> T1 -> T0"), std::string::npos) << text;
}

TEST(Deadlock, CycleOrNone) {
  EXPECT_TRUE(wait_cycle({waits(0, OpKind::kThreadJoin, 1), waits(1, OpKind::kCondReacquire, kNoThread)}).empty());
  EXPECT_EQ(
      wait_cycle({waits(3, OpKind::kMutexLock, 1), waits(1, OpKind::kMutexLock, 2), waits(2, OpKind::kMutexLock, 3)}),
      (std::vector<ThreadIndex>{1, 2, 3}));
  EXPECT_EQ(wait_cycle({waits(1, OpKind::kMutexLock, 1)}), (std::vector<ThreadIndex>{1}));
}

TEST(StepLimit, FindsTheShortestRepeatingBlock) {
  std::string text = "main write x 4 @ a.cpp:1\n";
  for (int i = 0; i < 10; ++i) text += "main load x @ a.cpp:2\nmain store x @ a.cpp:3\nmain yield @ a.cpp:4\n";
  Told told(text);
  EXPECT_EQ(cycle_length(told.record.events), 3u);
  told.record.outcome = OutcomeKind::kStepLimit;
  Names names = told.names();
  const Finding finding = describe_outcome(names);
  ASSERT_EQ(finding.details.size(), 4u);
  EXPECT_EQ(finding.details[0], "these 3 events repeat until the end:");
  EXPECT_EQ(finding.details[2], "  T0 a.cpp:3 store x");
  told.record.events.resize(5);
  EXPECT_EQ(cycle_length(told.record.events), 0u);
}

TEST(Race, TellsBothAccessesAndTheirLocks) {
  Told told(
      "main create T1 @ r.cpp:1\n"
      "main lock m @ r.cpp:2\n"
      "main write x 4 @ r.cpp:3\n"
      "main unlock m @ r.cpp:4\n"
      "T1 lock n @ r.cpp:10\n"
      "T1 read x 4 = 7 @ r.cpp:11\n");
  const RaceRecord race{told.record.events[2], told.record.events[5], 2, 5};
  Names names = told.names();
  const Finding finding = describe_race(names, race);
  EXPECT_EQ(finding.message, "x: write r.cpp:3 (T0) and read r.cpp:11 (T1)");
  ASSERT_EQ(finding.details.size(), 3u);
  EXPECT_EQ(finding.details[0], "write by T0 (main) at r.cpp:3, holds m (taken r.cpp:2)");
  EXPECT_EQ(finding.details[1], "read by T1 (main.1) at r.cpp:11 -> 7, holds n (taken r.cpp:10)");
  const RaceRecord turned{told.record.events[5], told.record.events[2], 5, 2};
  EXPECT_EQ(describe_race(names, turned).identity, finding.identity);
}

TEST(Race, LocksAreFollowedThroughUnlock) {
  Told told(
      "main lock m @ r.cpp:1\n"
      "main lock n @ r.cpp:2\n"
      "main unlock m @ r.cpp:3\n"
      "main trylock o failed @ r.cpp:4\n"
      "main yield @ r.cpp:5\n");
  EXPECT_EQ(locks_held(told.record, 0, 0).size(), 0u);
  EXPECT_EQ(locks_held(told.record, 0, 2).size(), 2u);
  const auto held = locks_held(told.record, 0, 5);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].object, told.record.events[1].object);
}

TEST(ScheduleNames, FollowTheChoices) {
  Told told(kLostUpdate);
  told.record.schedule = {{1, 1}, {2, 1}, {1, 1}, {0, 1}};
  Names names = told.names();
  const auto named = name_schedule(told.record, names);
  ASSERT_EQ(named.size(), 4u);
  EXPECT_EQ(named[0].operation, "read");
  EXPECT_EQ(named[2].operation, "write");
  EXPECT_EQ(named[2].comment, "write balance at bank.cpp:12");

  PlanFile plan;
  plan.threads = {{"main", ""}, {"main.1", ""}, {"main.2", ""}};
  plan.schedule = named;
  EXPECT_FALSE(first_misfit(plan, named, told.record));
  auto other = named;
  other[1].operation = "lock";
  const auto misfit = first_misfit(plan, other, told.record);
  ASSERT_TRUE(misfit);
  EXPECT_NE(misfit->find("decision 1: expected read of main.2"), std::string::npos) << *misfit;
  EXPECT_NE(misfit->find("found lock of main.2"), std::string::npos) << *misfit;
  other.resize(1);
  EXPECT_NE(first_misfit(plan, other, told.record)->find("no further choice"), std::string::npos);
}

TEST(ScheduleNames, SayNothingWhenScheduleAndTraceDoNotBelongTogether) {
  Told told(kLostUpdate);
  told.record.schedule = {{kDataChoice | 1, 1}, {2, 1}};
  Names names = told.names();
  for (const PlanSegment& segment : name_schedule(told.record, names)) EXPECT_TRUE(segment.operation.empty());
}

TEST(TraceExport, CanBeReadAgain) {
  Told told(kLostUpdate);
  Names names = told.names();
  const std::string text = trace_as_text(names);
  const auto again = parse_trace(text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->events.size(), told.record.events.size());
}

TEST(Console, HostileTextCannotPaint) {
  Told told(kLostUpdate);
  told.record.outcome = OutcomeKind::kAssertion;
  told.record.message = "\x1b[2Jfake\nFAILED nothing";
  told.record.stdout_text = "out\x1b]0;title\x07put\n";
  Names names = told.names();
  const std::string text = console_finding(describe_outcome(names), {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("`fake FAILED nothing'"), std::string::npos) << text;
  EXPECT_NE(text.find("  | output"), std::string::npos) << text;
}

TEST(Console, NumbersForPeople) {
  EXPECT_EQ(grouped(7), "7");
  EXPECT_EQ(grouped(1284), "1 284");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(rate_text(43123), "43 k");
  EXPECT_EQ(rate_text(999), "999");
}

TEST(Json, HasEveryPromisedField) {
  Told told(kLostUpdate);
  told.record.outcome = OutcomeKind::kAssertion;
  told.record.message = "bad \xff bytes";
  Names names = told.names();
  RunReport report;
  report.program = "/p";
  report.findings.push_back(describe_outcome(names));
  report.campaign.executions = 3;
  report.campaign.operations[static_cast<std::size_t>(OpKind::kMutexLock)] = 4;
  const auto json = nlohmann::json::parse(json_of(report));
  for (const char* field : {"schema_version",
                            "program",
                            "strategy",
                            "seed",
                            "executions",
                            "complete",
                            "steps",
                            "seconds",
                            "executions_per_second",
                            "isolation",
                            "isolation_reason",
                            "isolation_verified",
                            "isolation_doubtful",
                            "vacuous",
                            "reason",
                            "findings",
                            "distinct_traces",
                            "operations",
                            "threads_max",
                            "notes"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_EQ(json["operations"]["lock"], 4);
  ASSERT_EQ(json["findings"].size(), 1u);
  for (const char* field : {"kind", "message", "location", "threads", "switches", "plan"}) {
    EXPECT_TRUE(json["findings"][0].contains(field)) << field;
  }
  EXPECT_EQ(json["findings"][0]["kind"], "assertion");
}

// Locations by the events' own places.
LocationId location_at(const Told& told, std::size_t event) {
  return told.record.events[event].location;
}

TEST(Heap, AUseAfterFreeNamesAllThreePlaces) {
  Told told(
      "main create T1 @ list.cpp:20\n"
      "main create T2 @ list.cpp:21\n"
      "T1 read head 8 chosen @ list.cpp:5\n"
      "T2 write head 8 chosen @ list.cpp:9\n"
      "main join T2 @ list.cpp:22\n");
  told.record.outcome = OutcomeKind::kUseAfterFree;
  told.record.message = "read of 4 bytes at offset 8 of a freed block of 16 bytes";
  told.record.thread = 1;
  told.record.location = location_at(told, 2);
  told.record.heap.freed = {2, location_at(told, 3), 0};
  told.record.heap.allocated = {0, location_at(told, 0), 0};
  told.record.heap.size = 16;
  Names names = told.names();
  const Finding finding = describe_outcome(names);
  ASSERT_EQ(finding.threads.size(), 3u);
  const std::string text = console_finding(finding, ConsoleOptions{});
  EXPECT_NE(text.find("FAILED  use-after-free read of 4 bytes at offset 8"), std::string::npos) << text;
  EXPECT_NE(text.find("used by T1 (main.1) at list.cpp:5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("freed by T2 (main.2) at list.cpp:9\n"), std::string::npos) << text;
  EXPECT_NE(text.find("16 bytes allocated by T0 (main) at list.cpp:20\n"), std::string::npos) << text;
}

TEST(Remarks, LabelsFaultsAndObservationsAreTold) {
  Told told(kLostUpdate);
  told.record.object_names.clear();
  told.record.outcome = OutcomeKind::kAssertion;
  told.record.message = "m";
  const Event& read = told.record.events[3];
  LabelRecord label;
  label.object = read.object;
  label.offset = read.offset;
  label.size = 4;
  std::strcpy(label.name, "the account");
  told.record.labels.push_back(label);
  told.record.faults = 1;
  told.record.injected.push_back({kFaultEintr, 1, read.location, 0});
  told.record.observations = {{"total", "130"}, {"evil\x1b[31m", "x"}};
  told.record.explore_call = 3;
  told.record.explore_name = "Bank.Transfer";
  Names names = told.names();
  Finding finding = describe_outcome(names);
  const std::string text = console_finding(finding, ConsoleOptions{});
  EXPECT_NE(text.find("read the account -> 100"), std::string::npos) << text;
  EXPECT_NE(text.find("injected: blocking call interrupted (EINTR) in T1 (main.1) at bank.cpp:12"), std::string::npos)
      << text;
  EXPECT_NE(text.find("observed: total = 130"), std::string::npos) << text;
  EXPECT_NE(text.find("in call 3 of explore(): Bank.Transfer"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  RunReport report;
  report.findings.push_back(finding);
  const auto json = nlohmann::json::parse(json_of(report));
  EXPECT_EQ(json["findings"][0]["observations"]["total"], "130");
  EXPECT_EQ(json["findings"][0]["explore_call"], 3);
  EXPECT_EQ(json["findings"][0]["injected"].size(), 1u);
}

// Choices of data without an event (who is woken, a fault that did not happen) do not lose the names of the rest.
TEST(ScheduleNames, PassByChoicesWithoutEvents) {
  Told told(
      "main create T1 @ a.cpp:1\n"
      "T1 lock m chosen @ a.cpp:2\n"
      "main lock m chosen @ a.cpp:3\n");
  told.record.schedule = {{kDataChoice | 0, 2}, {1, 1}, {kDataChoice | 1, 1}, {0, 1}};
  Names names = told.names();
  const auto segments = name_schedule(told.record, names);
  ASSERT_EQ(segments.size(), 4u);
  EXPECT_EQ(segments[1].operation, "lock");
  EXPECT_EQ(segments[3].operation, "lock");
  EXPECT_TRUE(segments[0].operation.empty() && segments[2].operation.empty());
}

}  // namespace
}  // namespace ravel
