// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn races`: the execution of a plan as reachability testing sees it: what each object completed and was open
// to, which calls could have come instead, and every way to change the sequence by them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/syn_command.h"
#include "driver/replay.h"
#include "investigate/plan_source.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/sequence_races.h"

namespace ravel {
namespace {

std::string name_of(std::size_t event) {
  return fmt::format("r{}", event + 1);
}

std::string events_text(const SequenceRaces& races) {
  std::size_t objects = 0;
  std::size_t calls = 0;
  for (const SequenceRaces::Entry& event : races.events) {
    objects = std::max(objects, event.object.size() + 1 + std::to_string(event.position).size());
    calls = std::max(calls, event.call.size());
  }
  std::string text;
  for (std::size_t i = 0; i < races.events.size(); ++i) {
    const SequenceRaces::Entry& event = races.events[i];
    const std::string object = fmt::format("{}#{}", event.object, event.position);
    text += fmt::format("{:<5}{:<{}}  <- {:<{}}", name_of(i), object, objects, event.call, calls);
    if (!event.open.empty()) text += fmt::format("  open {{{}}}", fmt::join(event.open, ", "));
    if (!event.races.empty()) text += fmt::format("  races {{{}}}", fmt::join(event.races, ", "));
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  for (const std::string& call : races.waiting) text += fmt::format("never received: {}\n", call);
  return text;
}

std::string table_text(const SequenceRaces& races) {
  if (races.rows.empty()) return "no race: the sequence cannot be changed\n";
  std::string text = "\nrace table\n    ";
  for (const std::size_t column : races.columns) text += fmt::format("{:>5}", name_of(column));
  text += "\n";
  for (std::size_t i = 0; i < races.rows.size(); ++i) {
    text += fmt::format("{:<4}", i + 1);
    for (const int digit : races.rows[i]) text += fmt::format("{:>5}", digit);
    text += "\n";
  }
  if (!races.all) text += "... and more\n";
  text += "\nvariants\n";
  for (std::size_t i = 0; i < races.variants.size(); ++i) {
    text += fmt::format("{:<4}{}\n", i + 1, fmt::join(races.variants[i], "; "));
  }
  return text;
}

nlohmann::ordered_json json_of(const SequenceRaces& races) {
  const auto texts = [](const std::vector<std::string>& list) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const std::string& text : list) out.push_back(valid_utf8(text));
    return out;
  };
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (const SequenceRaces::Entry& event : races.events) {
    events.push_back({{"object", valid_utf8(event.object)},
                      {"position", event.position},
                      {"call", valid_utf8(event.call)},
                      {"open", texts(event.open)},
                      {"races", texts(event.races)}});
  }
  nlohmann::ordered_json variants = nlohmann::ordered_json::array();
  for (const std::vector<std::string>& variant : races.variants) variants.push_back(texts(variant));
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const std::size_t column : races.columns) columns.push_back(column + 1);
  return {{"schema_version", 1}, {"command", "syn races"}, {"events", events},     {"waiting", texts(races.waiting)},
          {"columns", columns},  {"rows", races.rows},     {"variants", variants}, {"all_rows", races.all},
          {"note", races.note}};
}

}  // namespace

int syn_races(const SynArguments& arguments, const Arguments& words, const Arguments& program) {
  if (words.size() != 1) {
    return fail(Error{ErrorKind::kUsage, words.empty() ? "no plan given" : "more than one plan given", "",
                      "ravel syn races PLAN [-- PROGRAM ARGUMENTS...]"});
  }
  auto source = read_plan_source(words[0]);
  if (!source) return fail(source.error());
  auto plan = prepare_plan(std::move(*source), program);
  if (!plan) return fail(plan.error());
  auto steps = replay_with_steps(plan->replay);
  if (!steps) return fail(steps.error());
  const ExecutionRecord& record = steps->result.record;
  if (record.outcome == OutcomeKind::kDiverged) {
    return fail(Error{ErrorKind::kCannotTest, "the plan does not fit the program", words[0],
                      "see `ravel replay' for where it differs"});
  }
  Symbolizer symbolizer;
  Names names(record, symbolizer);
  auto races = sequence_races(names, *steps, plan->replay.plan);
  if (!races) return fail(races.error());
  if (!arguments.quiet && arguments.json != "-") {
    fmt::print("{}", printable_text(events_text(*races) + table_text(*races)));
    if (!races->note.empty()) fmt::print("{}\n", races->note);
  }
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(*races).dump(2) + "\n"); !written)
      return fail(written.error());
  }
  return kExitClean;
}

}  // namespace ravel
