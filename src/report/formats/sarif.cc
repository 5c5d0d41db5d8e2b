// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SARIF 2.1.0: a finding is a result whose code flow has one thread flow a thread; `executionOrder` numbers the steps
// of all of them in the order they were executed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/text/path_text.h"
#include "report/formats/escape.h"
#include "report/formats/renderers.h"
#include "report/formats/rules.h"
#include "report/json_text.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kSchema[] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string message_text(std::string_view text) {
  return shortened(valid_utf8(text), kShownText);
}

Json physical_location(const SourcePlace& place) {
  Json artifact;
  if (place.path.substr(0, 1) == "/") {
    artifact = {{"uri", "file://" + uri_path(place.path)}};
  } else {
    artifact = {{"uri", uri_path(place.path)}, {"uriBaseId", "%SRCROOT%"}};
  }
  Json location = {{"artifactLocation", std::move(artifact)}};
  if (place.line != 0) {
    location["region"] = {{"startLine", place.line}};
    if (place.column != 0) location["region"]["startColumn"] = place.column;
  }
  return location;
}

// Empty when nothing is known.
Json location_of(const SourcePlace& place, std::string_view message) {
  Json location = Json::object();
  if (!place.file.empty()) location["physicalLocation"] = physical_location(place);
  if (!place.function.empty()) {
    location["logicalLocations"] = Json::array(
        {{{"fullyQualifiedName", shortened(valid_utf8(place.function), kShownText)}, {"kind", "function"}}});
  }
  if (!message.empty()) location["message"] = {{"text", message_text(message)}};
  return location;
}

// Words of the standard (3.38.8) for what a step does.
Json step_kinds(std::string_view operation) {
  static const std::map<std::string_view, Json> kKinds = {
      {"lock", {"acquire", "lock"}},     {"trylock", {"acquire", "lock"}},   {"rdlock", {"acquire", "lock"}},
      {"wrlock", {"acquire", "lock"}},   {"reacquire", {"acquire", "lock"}}, {"unlock", {"release", "lock"}},
      {"rwunlock", {"release", "lock"}}, {"wait", {"release", "lock"}},      {"read", {"usage", "memory"}},
      {"load", {"usage", "memory"}},     {"write", {"value", "memory"}},     {"store", {"value", "memory"}},
  };
  const auto found = kKinds.find(operation);
  return found == kKinds.end() ? Json() : found->second;
}

const EventRole* role_of(const std::vector<EventRole>& roles, const InterleavingLine& line) {
  if (line.gap || line.sequence == 0) return nullptr;
  const auto found =
      std::find_if(roles.begin(), roles.end(), [&](const EventRole& role) { return role.event == line.sequence; });
  return found == roles.end() ? nullptr : &*found;
}

std::string step_text(const InterleavingLine& line) {
  std::string text = fmt::format("T{}: {}", line.thread, line.operation);
  if (!line.object.empty()) text += " " + line.object;
  if (!line.value.empty()) text += " " + line.value;
  return text;
}

Json code_flow(const Finding& finding, const std::vector<EventRole>& roles) {
  std::map<ThreadIndex, Json> steps;
  int order = 0;
  for (const InterleavingLine& line : finding.interleaving) {
    if (line.gap) continue;
    const EventRole* role = role_of(roles, line);
    std::string text = step_text(line);
    if (role != nullptr) text += ": " + role->text;
    Json step = {{"location", location_of(line.source, text)}, {"executionOrder", ++order}};
    step["importance"] = role != nullptr || line.failing ? "essential" : "important";
    if (Json kinds = step_kinds(line.operation); !kinds.is_null()) step["kinds"] = std::move(kinds);
    if (!line.object.empty() && !line.value.empty()) {
      step["state"] = {{shortened(valid_utf8(line.object), kShownName), {{"text", message_text(line.value)}}}};
    }
    const auto [entry, fresh] = steps.try_emplace(line.thread, Json::array());
    entry->second.push_back(std::move(step));
  }
  Json flows = Json::array();
  for (auto& [thread, locations] : steps) {
    std::string title = fmt::format("T{}", thread);
    for (const FindingThread& known : finding.threads) {
      if (known.index == thread)
        title += fmt::format(" {}{}{}", known.lineage, known.name.empty() ? "" : " ", known.name);
    }
    flows.push_back({{"id", fmt::format("T{}", thread)},
                     {"message", {{"text", message_text(title)}}},
                     {"locations", std::move(locations)}});
  }
  return flows;
}

std::string result_text(const Finding& finding) {
  std::string text = fmt::format("{}: {}", outcome_name(finding.kind), finding.message);
  for (const Finding& cause : finding.causes)
    text += fmt::format("\ncause: {}: {}", outcome_name(cause.kind), cause.message);
  for (const std::string& line : finding.explanation) text += "\n" + line;
  for (const std::string& line : finding.details) text += "\n" + line;
  if (!finding.plan.empty()) text += fmt::format("\nreproduce: ravel replay {}", shell_word(finding.plan));
  return message_text(text);
}

Json result_of(const Finding& finding, std::string_view level) {
  Json result = {{"ruleId", outcome_name(finding.kind)}};
  const auto rules = rule_table();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].kind == finding.kind) result["ruleIndex"] = i;
  }
  result["level"] = level;
  result["message"] = {{"text", result_text(finding)}};
  if (!finding.location.file.empty()) result["locations"] = Json::array({location_of(finding.location, "")});
  const std::vector<EventRole> roles = event_roles(finding);
  Json related = Json::array();
  for (const InterleavingLine& line : finding.interleaving) {
    const EventRole* role = role_of(roles, line);
    if (role == nullptr || line.source.file.empty()) continue;
    Json location = location_of(line.source, step_text(line) + ": " + role->text);
    location["id"] = related.size() + 1;
    related.push_back(std::move(location));
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (Json flows = code_flow(finding, roles); !flows.empty()) {
    result["codeFlows"] = Json::array({{{"message", {{"text", "the failing interleaving"}}}, {"threadFlows", flows}}});
  }
  result["partialFingerprints"] = {{"ravel/v1", fmt::format("{:016x}", defect_fingerprint(finding))}};
  result["occurrenceCount"] = std::max<std::uint32_t>(finding.times_seen, 1);
  result["properties"] = {{"plan", finding.plan},
                          {"seedString", finding.seed_string},
                          {"switches", finding.switches},
                          {"preemptions", finding.preemptions},
                          {"events", finding.events}};
  return result;
}

Json rules_json() {
  Json rules = Json::array();
  for (const Rule& rule : rule_table()) {
    rules.push_back({{"id", outcome_name(rule.kind)},
                     {"name", rule.title},
                     {"shortDescription", {{"text", rule.summary}}},
                     {"help", {{"text", rule.help}, {"markdown", rule.help}}},
                     {"defaultConfiguration", {{"level", "error"}}},
                     {"properties", {{"tags", {"concurrency"}}}}});
  }
  return rules;
}

Json notification(std::string_view level, std::string_view text) {
  return {{"level", level}, {"message", {{"text", message_text(text)}}}};
}

Json invocation(const ReportView& report) {
  const int code = report.exit_code();
  Json notifications = Json::array();
  if (!report.reason().empty()) notifications.push_back(notification(code > 1 ? "error" : "warning", report.reason()));
  for (const std::string& note : report.notes()) notifications.push_back(notification("note", note));
  return {{"executionSuccessful", code == 0 || code == 1},
          {"exitCode", code},
          {"toolExecutionNotifications", std::move(notifications)}};
}

}  // namespace

std::string sarif_format(const ReportView& report) {
  Json results = Json::array();
  for (const Finding& finding : report.findings()) results.push_back(result_of(finding, "error"));
  for (const Finding& finding : report.potential()) results.push_back(result_of(finding, "warning"));
  const Json driver = {
      {"name", "Ravel"}, {"version", RAVEL_VERSION}, {"semanticVersion", RAVEL_VERSION}, {"rules", rules_json()}};
  const std::string program = shortened(valid_utf8(report.program()), kShownText);
  Json run = {{"tool", {{"driver", driver}}},
              {"invocations", Json::array({invocation(report)})},
              {"automationDetails", {{"id", "ravel/" + base_name(program) + "/"}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  const Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return json_text(log);
}

}  // namespace ravel
