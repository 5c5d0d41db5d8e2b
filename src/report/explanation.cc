// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/text/printable.h"
#include "report/interleaving.h"

namespace ravel {
namespace {

// The event with that number; none: not kept.
std::optional<Event> event_at(const ExecutionRecord& record, std::uint64_t sequence) {
  const std::uint64_t first = record.first_sequence();
  if (sequence < first) return std::nullopt;
  if (sequence < record.total_events) return record.events[sequence - first];
  const std::uint64_t pending = sequence - record.total_events;
  if (pending < record.pending.size()) return record.pending[pending];
  if (pending > record.pending.size()) return std::nullopt;
  Event use;
  use.kind = OpKind::kRead;
  use.thread = record.thread;
  use.location = record.location;
  use.context = record.context;
  return use;
}

bool is_use(const ExecutionRecord& record, std::uint64_t sequence) {
  return sequence == record.total_events + record.pending.size();
}

std::string phrase(const DecisiveEvent& event, bool use) {
  const std::string what = use ? "use of the freed block" : event.operation;
  return fmt::format("T{} {}{}{}{}{} at {}{}", event.thread, what, event.object.empty() ? "" : " ", event.object,
                     event.value.empty() ? "" : " ", event.value,
                     event.location.text.empty() ? "an unknown place" : event.location.text,
                     event.happened || use ? "" : " (not done yet)");
}

struct Side {
  std::uint64_t sequence;
  Event event;
};

}  // namespace

DecisiveEvent decisive_event(Names& names, const Event& event, std::uint64_t sequence) {
  const InterleavingLine line = event_line(names, event);
  DecisiveEvent out;
  out.sequence = sequence;
  out.thread = event.thread;
  out.operation = line.operation;
  out.object = line.object;
  out.value = line.value;
  out.location = source_place(names, event.location, event.context);
  out.happened = sequence < names.record().total_events;
  if (!out.happened) out.value.clear();
  return out;
}

void mark_decisive(Finding& finding) {
  for (InterleavingLine& line : finding.interleaving) {
    if (line.gap || line.failing) continue;
    for (const DecisiveEvent& event : finding.decisive) {
      const bool same = event.happened ? line.sequence == event.sequence && line.sequence != 0
                                       : line.sequence == 0 && line.thread == event.thread;
      line.decisive = line.decisive || same;
    }
  }
}

void explain_order(Names& names, std::span<const DecisivePair> pairs, Finding& finding) {
  const ExecutionRecord& record = names.record();
  std::vector<std::pair<Side, Side>> known;
  for (const DecisivePair& pair : pairs) {
    const auto first = event_at(record, pair.first);
    const auto second = event_at(record, pair.second);
    if (first && second) known.push_back({{pair.first, *first}, {pair.second, *second}});
  }
  if (known.empty()) return;
  std::vector<std::pair<Side, Side>> shown = {known[0]};
  for (const auto& other : known) {
    const bool opposite = other.first.event.thread == shown[0].second.event.thread &&
                          other.second.event.thread == shown[0].first.event.thread;
    if (!opposite) continue;
    shown.push_back(other);
    break;
  }
  std::sort(shown.begin(), shown.end(),
            [](const auto& a, const auto& b) { return a.first.sequence < b.first.sequence; });
  finding.explanation = {shown.size() == 1
                             ? "this order causes the failure; reversing it makes the program pass:"
                             : "these orders cause the failure; reversing either makes the program pass:"};
  for (const auto& [first, second] : shown) {
    const DecisiveEvent a = decisive_event(names, first.event, first.sequence);
    const DecisiveEvent b = decisive_event(names, second.event, second.sequence);
    finding.explanation.push_back(printable_line(
        fmt::format("{} comes before {}", phrase(a, false), phrase(b, is_use(record, second.sequence)))));
    for (const DecisiveEvent& event : {a, b}) {
      const auto same = [&](const DecisiveEvent& e) { return e.sequence == event.sequence; };
      if (std::none_of(finding.decisive.begin(), finding.decisive.end(), same)) finding.decisive.push_back(event);
    }
  }
  std::sort(finding.decisive.begin(), finding.decisive.end(),
            [](const DecisiveEvent& a, const DecisiveEvent& b) { return a.sequence < b.sequence; });
  mark_decisive(finding);
}

}  // namespace ravel
