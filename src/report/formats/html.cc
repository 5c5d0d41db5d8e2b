// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// HTML: the page of share/html with its data. The data is the JSON of the report and, for each execution that is drawn,
// its timeline column by column: a hundred thousand events are some megabytes. The page makes text of all of it, never
// markup.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/coverage_export.h"
#include "report/formats/escape.h"
#include "report/formats/page.h"
#include "report/formats/renderers.h"
#include "report/formats/rules.h"
#include "report/json_report.h"
#include "report/timeline.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kClassNames[] = {"internal", "lifecycle", "plain", "atomic",
                                            "sync",     "time",      "heap",  "choice"};

Json operations_json() {
  Json list = Json::array();
  for (const OperationRow& row : kOperationTable)
    list.push_back({row.name, kClassNames[static_cast<std::size_t>(row.cls)]});
  return list;
}

Json events_json(const std::vector<TimelineEvent>& events) {
  Json kind = Json::array(), bits = Json::array(), quiet = Json::array(), thread = Json::array(), place = Json::array(),
       object = Json::array(), value = Json::array();
  for (const TimelineEvent& event : events) {
    kind.push_back(static_cast<unsigned>(event.kind));
    bits.push_back(event.bits);
    quiet.push_back(event.quiet ? 1 : 0);
    thread.push_back(event.thread);
    place.push_back(event.place);
    object.push_back(event.object);
    value.push_back(event.value);
  }
  return {{"kind", kind},   {"bits", bits},     {"quiet", quiet}, {"thread", thread},
          {"place", place}, {"object", object}, {"value", value}};
}

Json timeline_json(const Timeline& line) {
  Json threads = Json::array();
  for (const FindingThread& thread : line.threads)
    threads.push_back({{"index", thread.index}, {"lineage", thread.lineage}, {"name", thread.name}});
  Json places = Json::array();
  for (const SourcePlace& place : line.places) {
    places.push_back({{"text", place.text},
                      {"file", place.file},
                      {"line", place.line},
                      {"column", place.column},
                      {"function", shortened(place.function, kShownText)}});
  }
  Json locks = Json::array();
  for (const TimelineLock& lock : line.locks)
    locks.push_back({lock.thread, lock.object, lock.from, lock.to, lock.shared ? 1 : 0});
  Json edges = Json::array();
  for (const OrderEdge& edge : line.edges) edges.push_back({edge.from, edge.to, edge.wakes ? 1 : 0});
  Json waits = Json::array();
  for (const TimelineWait& wait : line.waits) {
    waits.push_back({{"thread", wait.thread},
                     {"operation", op_name(wait.wants)},
                     {"place", wait.place},
                     {"object", wait.object},
                     {"holder", wait.holder == kNoThread ? Json() : Json(wait.holder)}});
  }
  Json files = Json::array();
  for (const TimelineFile& file : line.files)
    files.push_back({{"path", file.path}, {"first_line", file.first_line}, {"lines", file.lines}});
  Json sequence = Json::array();
  for (const TimelineSequenceEvent& event : line.sequence) {
    Json races = Json::array();
    for (const std::string& call : event.races) races.push_back(shortened(call, kShownText));
    sequence.push_back({{"thread", event.thread},
                        {"object", shortened(event.object, kShownText)},
                        {"text", shortened(event.text, kShownText)},
                        {"event", event.event},
                        {"races", races}});
  }
  Json objects = Json::array();
  for (const std::string& object : line.objects) objects.push_back(shortened(object, kShownText));
  return {{"first_event", line.first_event},
          {"threads", threads},
          {"places", places},
          {"objects", objects},
          {"values", line.values},
          {"events", events_json(line.events)},
          {"locks", locks},
          {"edges", edges},
          {"edges_exact", line.edges_exact},
          {"waits", waits},
          {"files", files},
          {"sequence", sequence},
          {"sequence_races", line.sequence_races},
          {"outcome", outcome_name(line.outcome)},
          {"failing_thread", line.failing_thread == kNoThread ? Json() : Json(line.failing_thread)},
          {"failing_place", line.failing_place}};
}

Json coverage_json(const ReportView& report) {
  const bool measured = report.run != nullptr && report.run->coverage != nullptr;
  return measured ? coverage_summary(*report.run->coverage) : Json();
}

Json shown_rules() {
  Json rules = Json::object();
  for (const Rule& rule : rule_table())
    rules[std::string(outcome_name(rule.kind))] = {{"summary", rule.summary}, {"help", rule.help}};
  return rules;
}

}  // namespace

std::string html_format(const ReportView& report) {
  std::vector<const Timeline*> drawn;
  const auto number_of = [&](const Timeline* line) -> Json {
    if (line == nullptr) return nullptr;
    const auto known = std::find(drawn.begin(), drawn.end(), line);
    if (known != drawn.end()) return known - drawn.begin();
    drawn.push_back(line);
    return drawn.size() - 1;
  };
  Json of_finding = Json::array();
  for (const Finding& finding : report.findings()) of_finding.push_back(number_of(finding.timeline.get()));
  Json of_replay;
  if (report.replay != nullptr) of_replay = number_of(report.replay->timeline.get());
  Json timelines = Json::array();
  for (const Timeline* line : drawn) timelines.push_back(timeline_json(*line));
  const Json data = {{"version", RAVEL_VERSION},
                     {"report", report.run != nullptr ? json_value(*report.run) : json_value(*report.replay)},
                     {"operations", operations_json()},
                     {"rules", shown_rules()},
                     {"timelines", std::move(timelines)},
                     {"timeline_of_finding", std::move(of_finding)},
                     {"timeline_of_replay", std::move(of_replay)},
                     {"coverage", coverage_json(report)}};
  std::string page;
  for (std::size_t i = 0; i < kPagePartCount; ++i) {
    if (i == kPageHole) page += json_in_html(data.dump(-1, ' ', false, Json::error_handler_t::replace));
    page += kPageParts[i];
  }
  return page;
}

}  // namespace ravel
