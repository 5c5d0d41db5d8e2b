// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/confirm_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/text/path_text.h"
#include "model/text/printable.h"
#include "report/formats/escape.h"
#include "report/json_text.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kSarifSchema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string word_of(WarningEnd end) {
  return std::string(kWarningEnds[static_cast<std::size_t>(end)]);
}

// What the compiler made by itself has none.
bool has_line(const CodePlace& place) {
  return !place.file.empty() && place.line != 0;
}

std::string places_text(const WarningToConfirm& warning) {
  std::vector<std::string> places;
  for (const CodePlace& place : warning.places) {
    places.push_back(has_line(place) ? fmt::format("{}:{}", base_name(place.file), place.line) : "code without a line");
  }
  return fmt::format("{}", fmt::join(places, ", "));
}

// "2 of 4 places passed; never cache.cpp:88 after cache.cpp:41"
std::string stuck_text(const GoalReport& goal) {
  if (goal.places.empty()) return "none of its places is an operation that Ravel sees in the program";
  if (goal.observed >= goal.places.size())
    return fmt::format("all {} places passed, without a failure", goal.places.size());
  std::string text =
      fmt::format("{} of {} places passed; never {}", goal.observed, goal.places.size(), goal.places[goal.observed]);
  if (goal.observed != 0) text += " after " + goal.places[goal.observed - 1];
  return text;
}

bool is_confirmed(const WarningVerdict& verdict) {
  return verdict.end == WarningEnd::kHarmful || verdict.end == WarningEnd::kReal;
}

std::string safe(const std::string& text) {
  return valid_utf8(printable_line(text));
}

Json warning_json(const WarningToConfirm& warning, const WarningVerdict& verdict) {
  Json places = Json::array();
  for (const CodePlace& place : warning.places) places.push_back({{"file", safe(place.file)}, {"line", place.line}});
  Json tried = Json::array();
  for (const LocationSequence& sequence : warning.sequences) tried.push_back(safe(sequence_text(sequence)));
  return {{"kind", safe(warning.kind)},
          {"text", safe(warning.text)},
          {"places", places},
          {"verdict", word_of(verdict.end)},
          {"failure", safe(verdict.failure)},
          {"location", safe(verdict.place)},
          {"plan", safe(verdict.plan)},
          {"preemptions", verdict.preemptions},
          {"sequence", verdict.goal.places},
          {"observed", verdict.goal.observed},
          {"sequences", warning.sequences.size()},
          {"tried", tried},
          {"executions", verdict.executions},
          {"states", verdict.states}};
}

Json properties_of(const WarningToConfirm& warning, const WarningVerdict& verdict) {
  return {{"ravelVerdict", word_of(verdict.end)},
          {"ravelText", safe(verdict_text(warning, verdict))},
          {"ravelPlan", safe(verdict.plan)}};
}

Json location_of(const CodePlace& place) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_path(place.file)}}}, {"region", {{"startLine", place.line}}}}}};
}

// A result of our own, for a warning that did not come as SARIF.
Json result_of(const WarningToConfirm& warning, const WarningVerdict& verdict) {
  Json locations = Json::array();
  Json related = Json::array();
  for (const CodePlace& place : warning.places) {
    if (has_line(place)) (locations.empty() ? locations : related).push_back(location_of(place));
  }
  Json result = {{"ruleId", safe(warning.kind)},
                 {"level", is_confirmed(verdict) ? "error" : "note"},
                 {"message", {{"text", safe(warning.text.empty() ? warning.kind : warning.text)}}},
                 {"locations", locations}};
  if (!related.empty()) result["relatedLocations"] = related;
  result["properties"] = properties_of(warning, verdict);
  return result;
}

}  // namespace

ExitCode ConfirmReport::exit_code() const {
  return std::any_of(verdicts.begin(), verdicts.end(), is_confirmed) ? kExitDefect : kExitClean;
}

std::string verdict_text(const WarningToConfirm& warning, const WarningVerdict& verdict) {
  const std::string about = fmt::format("{} {}", warning.kind, places_text(warning));
  switch (verdict.end) {
    case WarningEnd::kHarmful:
      return fmt::format("{}: {} {}, {} preemption{}   reproduce: ravel replay {}", about, verdict.failure,
                         verdict.place, verdict.preemptions, verdict.preemptions == 1 ? "" : "s", verdict.plan);
    case WarningEnd::kReal:
      return fmt::format("{}: {}   reproduce: ravel replay {}", about, verdict.failure, verdict.plan);
    case WarningEnd::kNotConfirmed:
      return fmt::format("{}: {} ({} execution{})", about, stuck_text(verdict.goal), verdict.executions,
                         verdict.executions == 1 ? "" : "s");
    case WarningEnd::kCannotHappen:
      return fmt::format("{}: in none of all behaviours", about);
  }
  return about;
}

std::string confirm_json(const ConfirmReport& report) {
  Json warnings = Json::array();
  for (std::size_t i = 0; i < report.warnings.size(); ++i) {
    warnings.push_back(warning_json(report.warnings[i], report.verdicts[i]));
  }
  Json notes = Json::array();
  for (const std::string& note : report.notes) notes.push_back(safe(note));
  const Json json = {{"schema_version", 1},
                     {"command", "confirm"},
                     {"program", safe(report.program)},
                     {"exit_code", static_cast<int>(report.exit_code())},
                     {"warnings", warnings},
                     {"notes", notes}};
  return json.dump(2) + "\n";
}

std::string confirm_sarif(const ConfirmReport& report) {
  Json own = Json::array();
  Json runs = Json::array();
  std::size_t at = 0;
  for (const ForeignWarnings& original : report.originals) {
    Json file = original.text.empty() ? Json() : Json::parse(original.text, nullptr, false);
    for (const ForeignWarning& warning : original.warnings) {
      const std::size_t i = at++;
      if (i >= report.verdicts.size()) break;
      if (file.is_object()) {
        Json& result = file["runs"][warning.run]["results"][warning.result];
        if (!result["properties"].is_object()) result["properties"] = Json::object();
        result["properties"].update(properties_of(report.warnings[i], report.verdicts[i]));
      } else {
        own.push_back(result_of(report.warnings[i], report.verdicts[i]));
      }
    }
    if (!file.is_object()) continue;
    for (Json& run : file["runs"]) runs.push_back(std::move(run));
  }
  if (report.originals.empty()) {
    for (std::size_t i = 0; i < report.warnings.size(); ++i)
      own.push_back(result_of(report.warnings[i], report.verdicts[i]));
  }
  if (!own.empty() || runs.empty()) {
    runs.push_back({{"tool", {{"driver", {{"name", "ravel confirm"}}}}}, {"results", own}});
  }
  const Json json = {{"$schema", kSarifSchema}, {"version", "2.1.0"}, {"runs", runs}};
  return json_text(json);
}

}  // namespace ravel
