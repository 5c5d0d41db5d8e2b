// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/text/printable.h"
#include "report/console.h"
#include "report/json_text.h"
#include "report/ratio.h"
#include "report/suspects.h"

namespace ravel {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostNoised = 5;

std::string what_waits(OpKind kind) {
  switch (kind) {
    case OpKind::kNone:
      return "is not in a call that Ravel takes over";
    case OpKind::kThreadJoin:
      return "waits for a thread to end";
    case OpKind::kMutexLock:
      return "waits for a mutex";
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
      return "waits for a reader-writer lock";
    case OpKind::kCondWait:
      return "waits for a condition variable";
    case OpKind::kSemWait:
      return "waits for a semaphore";
    case OpKind::kBarrierArrive:
      return "waits at a barrier";
    case OpKind::kOnceBegin:
      return "waits for a one-time initialisation";
    case OpKind::kFutexWait:
      return "waits for an atomic to change";
    default:
      return "sleeps";
  }
}

std::string wait_text(const ThreadWait& wait, FreeNames& names) {
  std::string text = fmt::format("{} {}", names.thread_name(wait.thread), what_waits(wait.kind));
  if (wait.kind != OpKind::kNone) text += fmt::format(" at {}", names.place(wait.frames).text);
  if (wait.waits_for == kNoHolder) return text;
  const std::string other = names.thread_name(wait.waits_for);
  return text + (wait.kind == OpKind::kThreadJoin ? fmt::format(": {}", other) : fmt::format(", held by {}", other));
}

Json pin_json(const PinReport& pin) {
  return {{"pinned", pin.pinned},         {"plan", pin.plan},       {"by", pin.by},
          {"executions", pin.executions}, {"replays", pin.replays}, {"reproduced", pin.reproduced},
          {"nearest", pin.nearest}};
}

Json totals_json(const NoiseTotals& totals) {
  constexpr double kMicrosecond = 1000;
  Json places = Json::array();
  for (const auto& [place, count] : totals.by_place) places.push_back({{"place", place}, {"injections", count}});
  Json seedings = Json::array();
  for (const auto& [name, one] : totals.by_seeding) {
    seedings.push_back(
        {{"seeding", name},
         {"delays", one.delays},
         {"ended", one.ended},
         {"mean_us", static_cast<double>(one.ns) / std::max(1.0, static_cast<double>(one.ended)) / kMicrosecond},
         {"shortest_us", one.ended == 0 ? 0 : static_cast<double>(one.shortest_ns) / kMicrosecond},
         {"weakest", one.weakest},
         {"strongest", one.strongest}});
  }
  return {{"halts", totals.halts},
          {"halts_given_up", totals.halts_given_up},
          {"overlapping", totals.overlapping},
          {"seedings", seedings},
          {"places", places}};
}

// In how many runs a place or task was, and how likely that is by chance.
template <class Row>
Json with_counts(Json json, const Row& one) {
  json["failing_with"] = one.failing_with;
  json["failing"] = one.failing;
  json["passing_with"] = one.passing_with;
  json["passing"] = one.passing;
  json["p"] = one.p;
  return json;
}

Json blame_json(const std::vector<NoiseBlame>& blame) {
  Json list = Json::array();
  for (const NoiseBlame& one : blame) list.push_back(with_counts({{"place", one.place}}, one));
  return list;
}

Json suspects_json(const std::vector<SuspectLine>& suspects) {
  Json list = Json::array();
  for (const SuspectLine& one : suspects) {
    list.push_back(with_counts({{"metric", one.metric}, {"task", one.task}}, one));
  }
  return list;
}

Json finding_json(const FreeFinding& finding) {
  Json location = {{"text", finding.location.text}};
  if (!finding.location.file.empty()) location["file"] = finding.location.file;
  if (finding.location.line != 0) location["line"] = finding.location.line;
  if (!finding.location.function.empty()) location["function"] = finding.location.function;
  Json noised = Json::array();
  for (const auto& [place, count] : finding.noised) noised.push_back({{"place", place}, {"injections", count}});
  Json json = {{"kind", outcome_name(finding.kind)},
               {"message", finding.message},
               {"detector", finding.detector},
               {"heuristic", finding.heuristic},
               {"location", location},
               {"details", finding.details},
               {"times", finding.times},
               {"first_run", finding.first_run},
               {"noise", finding.noise},
               {"noised", noised},
               {"blame", blame_json(finding.blame)},
               {"reproducible", finding.pin.pinned},
               {"run", finding.run_file},
               {"stdout", printable_line(finding.stdout_text)},
               {"stderr", printable_line(finding.stderr_text)}};
  if (finding.pin.tried) json["pin"] = pin_json(finding.pin);
  return json;
}

std::string headline(const FreeFinding& finding) {
  const std::string what = printable_line(finding.message);
  if (!finding.detector.empty()) return what;
  if (finding.kind == OutcomeKind::kAssertion) return fmt::format("assertion `{}'", what);
  return fmt::format("{}: {}", outcome_name(finding.kind), what);
}

std::string indented(const std::string& text, std::string_view name) {
  if (text.empty()) return {};
  std::string out = fmt::format("  {}:\n", name);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += fmt::format("    {}\n", printable_line(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

}  // namespace

FreeFinding describe_free_failure(const FreeRecord& record, FreeNames& names) {
  FreeFinding finding;
  finding.kind = record.outcome;
  finding.message = record.message;
  finding.times = 1;
  finding.stdout_text = record.stdout_text;
  finding.stderr_text = record.stderr_text;
  if (!record.frames.empty()) finding.location = names.place(record.frames);
  const std::vector<ThreadWait>& waits = record.outcome == OutcomeKind::kDeadlock ? record.stuck : record.waiting;
  for (const ThreadWait& wait : waits) finding.details.push_back(wait_text(wait, names));
  std::sort(finding.details.begin(), finding.details.end());
  if (!waits.empty() && !waits[0].frames.empty()) finding.location = names.place(waits[0].frames);
  auto noised = record.injected;
  std::sort(noised.begin(), noised.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [pc, count] : noised) {
    if (finding.noised.size() == kMostNoised) break;
    finding.noised.emplace_back(names.place(pc).text, count);
  }
  return finding;
}

namespace {

std::string seeding_name(std::uint32_t seeding) {
  if (seeding < std::size(kSeedingNames)) return std::string(kSeedingNames[seeding]);
  return seeding == kFreeHalted ? "halt" : "halt given up";
}

void add_delay(SeedingTotals& totals, const FreeDelay& delay) {
  ++totals.delays;
  if (delay.end_ns != 0) {
    const std::uint64_t ns = delay.end_ns - std::min(delay.begin_ns, delay.end_ns);
    ++totals.ended;
    totals.ns += ns;
    totals.shortest_ns = std::min(totals.shortest_ns, ns);
  }
  totals.weakest = std::min(totals.weakest, delay.strength);
  totals.strongest = std::max(totals.strongest, delay.strength);
}

}  // namespace

void add_noise(NoiseTotals& totals, const FreeRecord& record, FreeNames& names) {
  totals.injections += record.injections;
  for (const auto& [pc, count] : record.injected) totals.by_place[names.place(pc).text] += count;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> delays;
  for (const FreeThreadRecord& thread : record.threads) {
    for (const FreeDelay& delay : thread.delays) {
      delays.emplace_back(delay.begin_ns, delay.end_ns != 0 ? delay.end_ns : ~std::uint64_t{0});
      add_delay(totals.by_seeding[seeding_name(delay.seeding)], delay);
      totals.halts += delay.seeding == kFreeHalted ? 1 : 0;
      totals.halts_given_up += delay.seeding == kFreeHaltGivenUp ? 1 : 0;
    }
  }
  std::sort(delays.begin(), delays.end());
  std::uint64_t end = 0;
  for (const auto& [begin, until] : delays) {
    totals.overlapping += begin < end ? 1 : 0;
    end = std::max(end, until);
  }
}

// A deadlock is the same whoever was found to wait first.
bool is_same_failure(const FreeFinding& a, const FreeFinding& b) {
  if (a.kind != b.kind || a.detector != b.detector) return false;
  if (!a.detector.empty()) return a.identity == b.identity;
  if (a.kind == OutcomeKind::kDeadlock || a.kind == OutcomeKind::kHang) return true;
  return a.message == b.message && a.location.text == b.location.text;
}

std::string free_summary(const FreeReport& report, const Style& style) {
  const std::string runs = grouped(report.runs, "free run");
  std::string text =
      fmt::format("{} in {:.2f} s, noise {}, seed {}", runs, report.seconds, printable_line(report.noise), report.seed);
  if (report.injected.injections != 0) text += fmt::format(", {}", grouped(report.injected.injections, "injection"));
  text += "\n";
  if (report.cut != 0)
    text += fmt::format("{} did not end within its limit; --hang raises it\n", grouped(report.cut, "run"));
  if (report.doubted != 0) {
    text += fmt::format("of {} nothing can be said about races: {}\n", grouped(report.doubted, "run"), report.doubt);
  }
  for (const std::string& note : report.notes) text += fmt::format("{}\n", note);
  if (report.incomplete) text += "recorders are bounded: only the last operations of some threads were looked at\n";
  if (report.healing.entered != 0) {
    text += fmt::format("healing: {} into a section, {} after a wait, {} beside another thread\n",
                        grouped(report.healing.entered, "way"), grouped(report.healing.waited),
                        grouped(report.healing.given_up));
  }
  if (report.coverage.measured) {
    text += fmt::format("coverage: {}: {}\n", grouped(report.coverage.tasks, "task"), report.coverage.file);
    for (const SuspectLine& one : report.suspects) {
      text += fmt::format("suspect: {}: in {} of {} failing, {} of {} passing runs (p {:.2g})\n", suspect_text(one),
                          one.failing_with, one.failing, one.passing_with, one.passing, one.p);
    }
  }
  if (report.vacuous) return text;
  if (report.failed == 0) {
    return text + style.good("no failure") + fmt::format(" ({})\n", ratio_text(0, report.runs));
  }
  return text;
}

std::string free_finding_text(const FreeFinding& finding, const FreeReport& report, const FreeText& how) {
  std::string text =
      fmt::format("{} in {} of {} ({})  {}", how.style.bad("FAILED"), grouped(finding.times),
                  grouped(report.runs, "free run"), ratio_text(finding.times, report.runs), headline(finding));
  if (!finding.location.text.empty()) text += "  " + finding.location.text;
  text += "\n";
  for (const std::string& line : finding.details) text += fmt::format("  {}\n", line);
  if (finding.noise != "none") {
    text += fmt::format("  first in run {}, noise {}", finding.first_run, printable_line(finding.noise));
    if (!finding.noised.empty()) text += fmt::format(", most at {}", finding.noised[0].first);
    text += "\n";
  }
  for (const NoiseBlame& one : finding.blame) {
    text += fmt::format("  noise at {}: in {} of {} failing, {} of {} passing runs (p {:.2g})\n", one.place,
                        one.failing_with, one.failing, one.passing_with, one.passing, one.p);
  }
  if (how.show_output) text += indented(finding.stdout_text, "stdout") + indented(finding.stderr_text, "stderr");
  const PinReport& pin = finding.pin;
  if (pin.pinned) {
    text += fmt::format("{}: the same failure after {} ({}), replayed {} of {}: {}\n", how.style.good("pinned"),
                        grouped(pin.executions, "controlled run"), pin.by, pin.reproduced, pin.replays,
                        printable_line(pin.plan));
  } else if (pin.tried) {
    text += fmt::format("{}: {} did not show it; nearest: {}\n", how.style.warn("not pinned"),
                        grouped(pin.executions, "controlled run"), pin.nearest);
  } else {
    text += "  not reproducible yet";
    text += finding.run_file.empty() ? ": --pin searches for a schedule that fails the same way\n"
                                     : fmt::format(": ravel pin {}\n", printable_line(finding.run_file));
  }
  return text;
}

std::string free_json(const FreeReport& report) {
  Json findings = Json::array();
  for (const FreeFinding& finding : report.findings) findings.push_back(finding_json(finding));
  const Interval interval = wilson(report.failed, report.runs);
  const double ratio = report.runs == 0 ? 0 : static_cast<double>(report.failed) / static_cast<double>(report.runs);
  Json json = {
      {"mode", "free"},
      {"program", report.program},
      {"arguments", report.arguments},
      {"build_id", report.build_id},
      {"seed", report.seed},
      {"noise", report.noise},
      {"runs", report.runs},
      {"failed", report.failed},
      {"ratio", ratio},
      {"interval", {interval.low, interval.high}},
      {"cut", report.cut},
      {"injections", report.injected.injections},
      {"injected", totals_json(report.injected)},
      {"races_undecided", report.doubted},
      {"doubt", report.doubt},
      {"recorders_full", report.incomplete},
      {"healing",
       {{"entered", report.healing.entered}, {"waited", report.healing.waited}, {"given_up", report.healing.given_up}}},
      {"seconds", report.seconds},
      {"interrupted", report.interrupted},
      {"vacuous", report.vacuous},
      {"reason", report.reason},
      {"exit_code", static_cast<int>(report.exit_code)},
      {"findings", findings}};
  if (!report.configurations.empty()) json["configurations"] = report.configurations;
  if (report.coverage.measured) {
    json["coverage"] = {{"tasks", report.coverage.tasks}, {"file", report.coverage.file}};
    json["suspects"] = suspects_json(report.suspects);
  }
  return json_text(json);
}

}  // namespace ravel
