// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/limits.h"

#include <fmt/format.h>

#include "model/text/printable.h"
#include "symbols/disassembly.h"

namespace ravel {
namespace {

std::string event_text(const std::optional<Event>& event, Names& names) {
  if (!event) return "the trace had ended";
  const std::string place = source_place(names, event->location, 0).text;
  return fmt::format("T{} {}{}{}", event->thread, op_name(event->kind), place.empty() ? "" : " at ", place);
}

// The runtime looks for bytes only: those inside of another instruction are no reason to worry anybody.
bool is_chance_match(const Uncontrolled& call, const std::vector<ModuleName>& modules) {
  if (call.call != "rdrand" && call.call != "rdseed") return false;
  const std::string found = instruction_at(modules[module_slot(call.location)].path, module_offset(call.location) - 1);
  return !found.empty() && found.compare(0, call.call.size(), call.call) != 0;
}

std::string difference_text(const Difference& difference, Names& names) {
  if (difference.outcome_only) {
    return fmt::format("execution {}: the same events, but one run ended with {} and the other with {}",
                       difference.execution, outcome_name(difference.first_outcome),
                       outcome_name(difference.second_outcome));
  }
  const std::string first = event_text(difference.first, names);
  const std::string second = event_text(difference.second, names);
  // The same operation on another object, or with another size: the place alone would not show it.
  const char* hint = first == second ? " on another object, or with another result" : "";
  return fmt::format("execution {}, event {}: one run did `{}', the other `{}'{}", difference.execution,
                     difference.sequence, first, second, hint);
}

}  // namespace

std::string UncontrolledCall::text() const {
  std::string line = call;
  if (!detail.empty()) line += fmt::format(" ({})", detail);
  if (!location.text.empty()) line += " at " + location.text;
  return fmt::format("{}, {} time{}", line, times, times == 1 ? "" : "s");
}

LimitsReport describe_limits(const LimitsSeen& seen) {
  ExecutionRecord record;
  record.modules = seen.modules;
  record.contexts.emplace_back();
  record.threads.emplace_back();
  record.objects.emplace_back();
  Symbolizer symbolizer;
  Names names(record, symbolizer);
  LimitsReport report;
  for (const Uncontrolled& call : seen.uncontrolled) {
    if (is_chance_match(call, seen.modules)) continue;
    report.uncontrolled.push_back(
        {printable_line(call.call), printable_line(call.detail), source_place(names, call.location, 0), call.times});
  }
  if (seen.difference) report.difference = difference_text(*seen.difference, names);
  return report;
}

}  // namespace ravel
