// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// samples SOURCES FOLDER: writes reports of hand-written executions in every format, without running a program:
//   run, replay  small, the same on every machine: the approved files
//   hostile      every text holds what could break a format, and a name of a megabyte
//   large        a hundred thousand events
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "model/text/trace_text.h"
#include "report/console.h"
#include "report/formats/format.h"
#include "report/interleaving.h"
#include "report/timeline.h"
#include "report/trace_import.h"

namespace ravel {
namespace {

struct Sample {
  explicit Sample(const std::string& text) {
    auto trace = parse_trace(text);
    if (!trace) {
      fmt::print(stderr, "samples: {}\n", trace.error().text());
      std::exit(2);
    }
    record = record_of(*trace, symbolizer);
  }
  Symbolizer symbolizer;
  ExecutionRecord record;
};

constexpr char kLostUpdate[] =
    "main write balance 4 = 100 @ bank.cpp:9\n"
    "main create T1 @ bank.cpp:28\n"
    "main create T2 @ bank.cpp:28\n"
    "T1 start\n"
    "T1 read balance 4 = 100 chosen @ bank.cpp:13\n"
    "T2 start chosen\n"
    "T2 read balance 4 = 100 @ bank.cpp:13\n"
    "T2 write balance 4 = 70 @ bank.cpp:14\n"
    "T2 end\n"
    "T1 write balance 4 = 130 @ bank.cpp:14\n"
    "T1 end\n"
    "main join T1 @ bank.cpp:29\n"
    "main join T2 @ bank.cpp:30\n"
    "main read balance 4 = 130 @ bank.cpp:31\n";

constexpr char kDeadlock[] =
    "main create T1 @ bank.cpp:28\n"
    "main create T2 @ bank.cpp:28\n"
    "T1 start\n"
    "T1 lock a chosen @ bank.cpp:18\n"
    "T2 start chosen\n"
    "T2 lock b @ bank.cpp:23\n";

RaceRecord race_of(const ExecutionRecord& record, std::size_t first, std::size_t second) {
  return {record.events[first], record.events[second], first, second};
}

WaitingRecord waits(const Event& holds, const Event& wanted) {
  WaitingRecord waiting;
  waiting.thread = holds.thread;
  waiting.wants = OpKind::kMutexLock;
  waiting.object = wanted.object;
  waiting.holder = wanted.thread;
  waiting.location = holds.location;
  waiting.held_since = wanted.location;
  return waiting;
}

// The operation that it is about to do.
Event about_to(const Event& holds, const Event& wanted) {
  Event event = wanted;
  event.thread = holds.thread;
  return event;
}

void complete(Finding& finding, Names& names, const std::string& plan) {
  finding.timeline = make_timeline(names);
  finding.plan = plan;
  finding.seed_string = "rv1:AAECAw";
  finding.hash = 0x0123456789abcdef;
  finding.execution = 9;
  finding.times_seen = 3;
}

RunReport run_report() {
  RunReport report;
  report.program = "/opt/shop/bank";
  report.arguments = {"--fast", "two words"};
  report.build_id = "0123abcd";
  report.strategy = "portfolio";
  report.seed = 1;
  report.points = "racy";
  report.timeouts = "fair";
  report.exit_code = kExitDefect;
  CampaignResult& campaign = report.campaign;
  campaign.executions = 1284;
  campaign.steps = 20544;
  campaign.decisions = 6020;
  campaign.distinct_traces = 311;
  campaign.with_choice = 1284;
  campaign.threads_max = 3;
  campaign.seconds = 0.25;
  campaign.isolation = Isolation::kRollback;
  campaign.operations[static_cast<std::size_t>(OpKind::kRead)] = 5136;
  campaign.operations[static_cast<std::size_t>(OpKind::kMutexLock)] = 1284;
  campaign.curve = {{0.0625, 300, 180, 0}, {0.125, 640, 260, 1}, {0.25, 1284, 311, 2}};
  report.notes = {"address randomisation could not be turned off"};
  return report;
}

struct Samples {
  RunReport run = run_report();
  ReplayReport replay;
};

Samples plain_samples() {
  Samples out;
  Sample lost(kLostUpdate);
  lost.record.outcome = OutcomeKind::kAssertion;
  lost.record.message = "balance == 100";
  lost.record.location = lost.record.events.back().location;
  lost.record.switches = 2;
  lost.record.preemptions = 1;
  lost.record.stdout_text = "balance is 130\n";
  lost.record.observations = {{"balance", "130"}};
  Names names(lost.record, lost.symbolizer);
  out.run.findings.push_back(describe_outcome(names));
  out.run.findings.back().related.push_back(describe_race(names, race_of(lost.record, 4, 7)));
  complete(out.run.findings.back(), names, ".ravel/bank-1.plan");
  Finding& finding = out.run.findings.back();
  for (const std::size_t i : {4, 7, 9}) {
    const InterleavingLine line = event_line(names, lost.record.events[i]);
    finding.decisive.push_back({i, line.thread, line.operation, line.object, line.value, line.source});
  }
  finding.explanation = {"T1 reads balance, T2 writes it, and then T1 writes what it had read"};
  finding.simplified.tried = finding.simplified.fewest_preemptions = true;
  finding.simplified.executions = 12;
  finding.simplified.original_plan = ".ravel/bank-1.original.plan";
  finding.simplified.original_preemptions = 3;
  finding.simplified.original_switches = 7;
  finding.simplified.original_events = 14;

  Sample dead(kDeadlock);
  dead.record.outcome = OutcomeKind::kDeadlock;
  dead.record.pending = {about_to(dead.record.events[3], dead.record.events[5]),
                         about_to(dead.record.events[5], dead.record.events[3])};
  dead.record.waiting = {waits(dead.record.events[3], dead.record.events[5]),
                         waits(dead.record.events[5], dead.record.events[3])};
  Names dead_names(dead.record, dead.symbolizer);
  out.run.findings.push_back(describe_outcome(dead_names));
  complete(out.run.findings.back(), dead_names, ".ravel/bank-2.plan");

  out.run.findings.push_back(describe_race(names, race_of(lost.record, 4, 7)));
  complete(out.run.findings.back(), names, ".ravel/bank-3.plan");
  out.run.findings.back().timeline = out.run.findings.front().timeline;

  out.replay.program = "/opt/shop/bank";
  out.replay.plan = ".ravel/bank-1.plan";
  out.replay.outcome = "completed";
  out.replay.end = ReplayEnd::kClean;
  out.replay.reason = "the recorded assertion did not happen";
  out.replay.expected = "assertion";
  out.replay.runs = 1;
  lost.record.outcome = OutcomeKind::kCompleted;
  out.replay.timeline = make_timeline(names);
  out.replay.events = lost.record.events.size();
  return out;
}

// Markup, terminal escapes, quotes, what ends sections of XML and scripts, workflow commands, and bytes that are no
// text.
const std::string kEvil =
    "<script>window.hacked=1</script></script><!--<img src=x onerror=window.hacked=1>]]>&amp;\"'`\\ "
    "\x1b[31mred\x1b]0;t\a"
    "\r\n::error::injected\n%0A${HOME}\u202e\u2028 \xff\xfe\x80 \x01\x7f";

Samples hostile_samples() {
  Samples out;
  Sample sample(kLostUpdate);
  ExecutionRecord& record = sample.record;
  record.outcome = OutcomeKind::kAssertion;
  record.message = kEvil;
  record.location = record.events.back().location;
  record.stdout_text = record.stderr_text = kEvil;
  record.observations = {{kEvil, kEvil}};
  record.explore_name = kEvil;
  record.object_names.resize(record.objects.size());
  for (std::size_t i = 1; i < record.object_names.size(); ++i) record.object_names[i] = kEvil + std::to_string(i);
  record.object_names.back() += std::string(1 << 20, 'o');
  for (ThreadRecord& thread : record.threads) std::strcpy(thread.name, "<b>\x1b[1m'\"&\xff");
  const std::string path = std::filesystem::current_path().string() + "/a b'\"<i>&,:%\x1b[31m.cpp";
  for (const Event& event : record.events) {
    Frame frame;
    frame.function = kEvil + std::string(1 << 20, 'f');
    frame.file = path;
    frame.line = 3;
    frame.column = 7;
    if (event.location != 0) sample.symbolizer.set_frame(event.location, frame);
  }
  Names names(record, sample.symbolizer);
  out.run.program = "/tmp/a b/<i>'\"" + kEvil;
  out.run.arguments = {kEvil};
  out.run.reason = out.run.campaign.trouble = out.run.campaign.strategy_note = kEvil;
  out.run.notes = {kEvil};
  out.run.findings.push_back(describe_outcome(names));
  complete(out.run.findings.back(), names, "/tmp/a b/'" + kEvil + ".plan");
  out.run.findings.push_back(describe_race(names, race_of(record, 4, 7)));
  complete(out.run.findings.back(), names, "x.plan");
  out.replay.program = out.run.program;
  out.replay.plan = out.replay.reason = out.replay.outcome = kEvil;
  out.replay.end = ReplayEnd::kDiverged;
  out.replay.exit_code = kExitCannotTest;
  return out;
}

Samples large_samples(int rounds) {
  std::string text;
  constexpr int kThreads = 8;
  for (int i = 1; i <= kThreads; ++i) text += fmt::format("main create T{} @ bank.cpp:28\n", i);
  for (int round = 0; round < rounds; ++round) {
    const int thread = round % kThreads + 1;
    text += fmt::format("T{} lock m{} chosen @ bank.cpp:18\n", thread, round % 5);
    text += fmt::format("T{} read shared{} 4 = {} @ bank.cpp:13\n", thread, round % 5, round);
    text += fmt::format("T{} write shared{} 4 = {} @ bank.cpp:14\n", thread, round % 5, round + 5);
    text += fmt::format("T{} unlock m{} @ bank.cpp:20\n", thread, round % 5);
  }
  Samples out;
  Sample sample(text);
  sample.record.outcome = OutcomeKind::kAssertion;
  sample.record.message = "a long way to the failure";
  sample.record.location = sample.record.events.back().location;
  Names names(sample.record, sample.symbolizer);
  out.run.findings.push_back(describe_outcome(names));
  complete(out.run.findings.back(), names, ".ravel/large-1.plan");
  return out;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void write_all(const std::string& folder, const std::string& name, const ReportView& report) {
  for (const FormatRow& row : format_table()) {
    if (row.render != nullptr) write(fmt::format("{}/{}.{}", folder, name, row.name), row.render(report));
  }
  std::string console;
  for (const Finding& finding : report.findings()) console += console_finding(finding, {}) + "\n";
  if (!console.empty()) write(fmt::format("{}/{}.console", folder, name), console);
}

}  // namespace
}  // namespace ravel

int main(int argc, char** argv) {
  if (argc != 3 || chdir(argv[1]) != 0) return 2;
  const std::string folder = argv[2];
  std::filesystem::create_directories(folder);
  const ravel::Samples plain = ravel::plain_samples();
  ravel::write_all(folder, "run", {&plain.run, nullptr});
  ravel::write_all(folder, "replay", {nullptr, &plain.replay});
  const ravel::Samples hostile = ravel::hostile_samples();
  ravel::write_all(folder, "hostile", {&hostile.run, nullptr});
  ravel::write_all(folder, "hostile_replay", {nullptr, &hostile.replay});
  const ravel::Samples large = ravel::large_samples(25'000);
  ravel::write_all(folder, "large", {&large.run, nullptr});
  return 0;
}
