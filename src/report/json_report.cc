// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/json_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/campaign_json.h"
#include "report/json_text.h"
#include "wire/isolation.h"
#include "wire/progress.h"

namespace ravel {

using Json = nlohmann::ordered_json;

namespace {

Json place_json(const SourcePlace& place) {
  Json json = {{"text", place.text}};
  if (!place.file.empty()) json["file"] = place.file;
  if (place.line != 0) json["line"] = place.line;
  if (place.column != 0) json["column"] = place.column;
  if (!place.function.empty()) json["function"] = place.function;
  return json;
}

Json interleaving_json(const std::vector<InterleavingLine>& lines) {
  Json events = Json::array();
  for (const InterleavingLine& line : lines) {
    if (line.gap) {
      events.push_back({{"skipped", line.operation}});
    } else {
      events.push_back({{"thread", line.thread},
                        {"place", line.place},
                        {"operation", line.operation},
                        {"object", line.object},
                        {"value", line.value},
                        {"sequence", line.sequence},
                        {"decisive", line.decisive},
                        {"failing", line.failing}});
    }
  }
  return events;
}

Json observations_json(const std::vector<Observation>& observations) {
  Json json = Json::object();
  for (const Observation& seen : observations) json[seen.name] = seen.value;
  return json;
}

Json roles_json(const std::vector<EventRole>& roles) {
  Json list = Json::array();
  for (const EventRole& role : roles) list.push_back({{"event", role.event}, {"text", role.text}});
  return list;
}

Json evidence_json(const std::vector<FindingEvent>& events) {
  Json list = Json::array();
  for (const FindingEvent& event : events) {
    list.push_back({{"event", event.sequence},
                    {"thread", event.thread},
                    {"operation", event.operation},
                    {"object", event.object},
                    {"location", place_json(event.place)},
                    {"locks", event.locks}});
  }
  return list;
}

Json goal_json(const GoalReport& goal) {
  return {{"places", goal.places},   {"observed", goal.observed},   {"reached", goal.reached}, {"plan", goal.plan},
          {"outcome", goal.outcome}, {"execution", goal.execution}, {"states", goal.states}};
}

Json validity_json(const ValidityReport& validity) {
  Json sequences = Json::array();
  for (const JudgedSequence& one : validity.sequences) {
    sequences.push_back({{"class", one.found}, {"events", one.events}, {"outcome", one.outcome}, {"file", one.file}});
  }
  Json missing = Json::array();
  for (const MissingSequence& one : validity.missing) missing.push_back({{"events", one.events}, {"file", one.file}});
  return {{"specification", validity.specification},
          {"sequences", sequences},
          {"missing", missing},
          {"not_judged", validity.not_judged},
          {"all_known", validity.all_known}};
}

Json slice_json(const SliceReport& slice) {
  Json rounds = Json::array();
  for (const SliceRoundReport& round : slice.rounds) {
    rounds.push_back({{"threads", round.threads},
                      {"added_threads", round.added_threads},
                      {"lines", round.lines},
                      {"added_lines", round.added_lines},
                      {"grain", round.grain},
                      {"executions", round.executions},
                      {"states", round.states},
                      {"seconds", round.seconds},
                      {"end", round.end}});
  }
  return {{"targets", slice.targets},
          {"verdict", slice.verdict},
          {"reason", slice.reason},
          {"states", slice.states},
          {"rounds", rounds}};
}

Json simplification_json(const Simplification& simplified) {
  Json json = {{"tried", simplified.tried},
               {"fewest_preemptions", simplified.fewest_preemptions},
               {"executions", simplified.executions},
               {"seconds", simplified.seconds}};
  if (!simplified.original_plan.empty()) {
    json["original"] = {{"plan", simplified.original_plan},
                        {"preemptions", simplified.original_preemptions},
                        {"switches", simplified.original_switches},
                        {"events", simplified.original_events}};
  }
  return json;
}

Json decisive_json(const std::vector<DecisiveEvent>& events) {
  Json list = Json::array();
  for (const DecisiveEvent& event : events) {
    list.push_back({{"sequence", event.sequence},
                    {"thread", event.thread},
                    {"operation", event.operation},
                    {"object", event.object},
                    {"value", event.value},
                    {"happened", event.happened},
                    {"location", place_json(event.location)}});
  }
  return list;
}

Json finding_json(const Finding& finding) {
  Json threads = Json::array();
  for (const FindingThread& thread : finding.threads) {
    threads.push_back({{"index", thread.index}, {"lineage", thread.lineage}, {"name", thread.name}});
  }
  Json json = {{"kind", outcome_name(finding.kind)},
               {"message", finding.message},
               {"fingerprint", fmt::format("{:016x}", defect_fingerprint(finding))},
               {"location", place_json(finding.location)},
               {"threads", threads},
               {"switches", finding.switches},
               {"preemptions", finding.preemptions},
               {"minimised", simplification_json(finding.simplified)},
               {"decisive", decisive_json(finding.decisive)},
               {"explanation", finding.explanation},
               {"adversarial_timeout", finding.needs_timeout},
               {"faults", finding.faults},
               {"injected", finding.injected},
               {"explore_call", finding.explore_call},
               {"explore_name", finding.explore_name},
               {"observations", observations_json(finding.observations)},
               {"execution", finding.execution},
               {"times_seen", finding.times_seen},
               {"plan", finding.plan},
               {"seed_string", finding.seed_string},
               {"hash", fmt::format("{:016x}", finding.hash)},
               {"events", finding.events},
               {"details", finding.details},
               {"roles", roles_json(event_roles(finding))},
               {"interleaving", interleaving_json(finding.interleaving)},
               {"stdout", finding.stdout_text},
               {"stderr", finding.stderr_text}};
  if (!finding.detector.empty()) {
    json["detector"] = finding.detector;
    json["heuristic"] = finding.heuristic;
    json["fingerprint"] = fmt::format("{:016x}", finding.fingerprint);
    json["evidence"] = evidence_json(finding.evidence);
  }
  Json causes = Json::array();
  for (const Finding& cause : finding.causes) causes.push_back(finding_json(cause));
  json["causes"] = causes;
  if (!finding.folds.empty()) json["folds"] = finding.folds;
  if (!finding.folded_into.empty()) json["folded_into"] = finding.folded_into;
  Json related = Json::array();
  for (const Finding& race : finding.related) related.push_back(finding_json(race));
  json["related"] = related;
  return json;
}

Json findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back(finding_json(finding));
  return list;
}

Json uncontrolled_json(const std::vector<UncontrolledCall>& calls) {
  Json list = Json::array();
  for (const UncontrolledCall& call : calls) {
    list.push_back(
        {{"call", call.call}, {"detail", call.detail}, {"location", place_json(call.location)}, {"times", call.times}});
  }
  return list;
}

Json saved_json(const std::vector<SavedPlan>& saved) {
  Json list = Json::array();
  for (const SavedPlan& one : saved) {
    list.push_back({{"plan", one.plan}, {"verdict", name_of(one.state)}, {"reason", one.reason}});
  }
  return list;
}

}  // namespace

std::vector<std::string> note_texts(std::uint64_t notes) {
  std::vector<std::string> texts;
  if ((notes & kNoteNoFsgsbase) != 0)
    texts.emplace_back("the machine has no FSGSBASE: switches between threads are slower");
  if ((notes & kNoteAslrOn) != 0) {
    texts.emplace_back(
        "address randomisation could not be turned off: programs that use addresses as data may differ between runs");
  }
  if ((notes & kNoteOpenMp) != 0) {
    texts.emplace_back(
        "the program is linked with an OpenMP library, whose threads wait inside the system: they are not controlled, "
        "and a parallel region cannot be tested; use ravel run --free");
  }
  if ((notes & kNoteForeignThreads) != 0)
    texts.emplace_back("threads that were made inside a library ran on their own: what they did is not in the trace");
  if ((notes & kNoteHiddenThreads) != 0) {
    texts.emplace_back(
        "aio, getaddrinfo_a or mq_notify was used: the system's own threads do the work, in real time; notification by "
        "a thread is refused");
  }
  if ((notes & kNoteProcessShared) != 0) {
    texts.emplace_back(
        "a process-shared object was made: it works between the threads of this process, not with other processes");
  }
  return texts;
}

std::vector<std::string> campaign_notes(const CampaignResult& campaign) {
  std::vector<std::string> texts = note_texts(campaign.notes);
  if (campaign.cut != 0) {
    texts.push_back(fmt::format(
        "{} {} cut at the limit of steps: no end, but no proof of a repetition either. Raise --max-steps, or make "
        "executions shorter: smaller parameters of the test, --points sync",
        campaign.cut, campaign.cut == 1 ? "execution was" : "executions were"));
  }
  return texts;
}

namespace {

// What it is about and how it ended, the campaign's own fields, then the lists.
Json fields_of(const RunReport& report) {
  const CampaignResult& campaign = report.campaign;
  Json conventions = Json::object();
  for (const auto& [what, how] : report.conventions) conventions[what] = how;
  const double rate = campaign.seconds > 0 ? static_cast<double>(campaign.executions) / campaign.seconds : 0;
  Json json = {{"schema_version", kJsonSchemaVersion},
               {"command", "run"},
               {"program", report.program},
               {"arguments", report.arguments},
               {"build_id", report.build_id},
               {"strategy", report.strategy},
               {"seed", report.seed},
               {"points", report.points},
               {"timeouts", report.timeouts},
               {"jobs", report.jobs},
               {"shard_index", report.shard_index},
               {"shard_count", report.shard_count},
               {"conventions", conventions},
               {"vacuous", report.vacuous},
               {"reason", report.reason},
               {"exit_code", report.exit_code},
               {"executions_per_second", rate}};
  write_campaign(json, campaign);
  if (report.jobs == 1) json.erase("executions_by_job");
  json["notes"] = report.notes;
  json["saved"] = saved_json(report.saved);
  json["uncontrolled"] = uncontrolled_json(report.uncontrolled);
  json["first_difference"] = report.first_difference;
  json["not_confirmed"] = report.not_confirmed;
  if (!report.goal.places.empty()) json["goal"] = goal_json(report.goal);
  if (!report.slice.targets.empty()) json["slice"] = slice_json(report.slice);
  if (!report.validity.specification.empty()) json["validity"] = validity_json(report.validity);
  json["potential"] = findings_json(report.potential);
  json["doubtful"] = findings_json(report.doubtful);
  json["findings"] = findings_json(report.findings);
  return json;
}

}  // namespace

Json json_value(const RunReport& report) {
  return fields_of(report);
}

std::string json_of(const VerifyFixReport& report) {
  return json_text<Json>({{"schema_version", kJsonSchemaVersion},
                          {"command", "verify-fix"},
                          {"program", report.program},
                          {"plan", report.plan},
                          {"verdict", name_of(report.state)},
                          {"reason", report.reason},
                          {"preemptions", report.preemptions},
                          {"executions", report.executions},
                          {"near_executions", report.near_executions},
                          {"found_by", name_of(report.found_by)},
                          {"complete", report.complete},
                          {"exit_code", report.exit_code},
                          {"findings", findings_json(report.findings)}});
}

std::string json_of(const PlanReport& report) {
  return json_text<Json>({{"schema_version", kJsonSchemaVersion},
                          {"command", report.command},
                          {"program", report.program},
                          {"plan", report.plan},
                          {"reason", report.reason},
                          {"exit_code", report.exit_code},
                          {"findings", findings_json(report.findings)}});
}

Json json_value(const ReplayReport& report) {
  return Json({{"schema_version", kJsonSchemaVersion},
               {"command", "replay"},
               {"program", report.program},
               {"plan", report.plan},
               {"expected", report.expected},
               {"outcome", report.outcome},
               {"verdict", name_of(report.end)},
               {"reason", report.reason},
               {"runs", report.runs},
               {"mismatches", report.mismatches},
               {"steps", report.steps},
               {"events", report.events},
               {"observations", observations_json(report.observations)},
               {"hash", fmt::format("{:016x}", report.hash)},
               {"fingerprint", fmt::format("{:016x}", report.fingerprint)},
               {"exit_code", report.exit_code},
               {"notes", report.notes},
               {"uncontrolled", uncontrolled_json(report.uncontrolled)},
               {"first_difference", report.first_difference},
               {"stopped_at", interleaving_json(report.stopped_at)},
               {"findings", findings_json(report.findings)}});
}

std::string json_of(const RunReport& report) {
  return json_text(json_value(report));
}

std::string json_of(const ReplayReport& report) {
  return json_text(json_value(report));
}

}  // namespace ravel
