// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/text/printable.h"
#include "report/diagnosis.h"
#include "report/interleaving.h"
#include "semantics/effects.h"

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
using Sides = std::pair<Side, Side>;

bool is_access(const Event& event) {
  const OpClass cls = op_class(event.kind);
  return cls == OpClass::kPlain || cls == OpClass::kAtomic;
}

// How near a pair is to what the failing thread saw. Many orders may decide whether a program fails: who got which item
// of a correct queue, for one. The one to show races, or is about what the failing thread looked at when it failed.
class Relevance {
 public:
  explicit Relevance(const ExecutionRecord& record) : record_(record) {
    // Others fail by an order of their own, not by what somebody saw.
    const bool saw = record.outcome == OutcomeKind::kAssertion || record.outcome == OutcomeKind::kException ||
                     record.outcome == OutcomeKind::kExitCode;
    if (!saw) return;
    for (std::size_t i = record.events.size(); i-- > 0 && seen_.size() < kLooks;) {
      const Event& event = record.events[i];
      if (event.thread == record.thread && is_access(event)) seen_.push_back(&event);
    }
  }
  // 2: their memory is raced for. 0: nothing that it saw last, nor a lock around such.
  [[nodiscard]] int of(const Sides& pair) const {
    if (is_raced_for(pair.first.event, pair.second.event)) return 2;
    return concerns(pair.first) && concerns(pair.second) ? 1 : 0;
  }

 private:
  static constexpr std::size_t kLooks = 8;

  [[nodiscard]] bool is_raced_for(const Event& a, const Event& b) const {
    return std::any_of(record_.races.begin(), record_.races.end(), [&](const RaceRecord& race) {
      return accesses_meet(race.second, a) && accesses_meet(race.second, b);
    });
  }
  [[nodiscard]] bool is_seen(const Event& event) const {
    return std::any_of(seen_.begin(), seen_.end(), [&](const Event* last) { return accesses_meet(*last, event); });
  }
  // Of what synchronises: its thread's accesses up to the next such operation.
  [[nodiscard]] bool concerns(const Side& side) const {
    if (side.sequence >= record_.total_events) return true;  // not done yet: its thread has no later accesses
    if (is_access(side.event)) return is_seen(side.event);
    const std::uint64_t first = record_.first_sequence();
    for (std::uint64_t i = side.sequence + 1 - first; i < record_.events.size(); ++i) {
      const Event& event = record_.events[i];
      if (event.thread != side.event.thread) continue;
      if (!is_access(event)) return false;
      if (is_seen(event)) return true;
    }
    return false;
  }

  const ExecutionRecord& record_;
  std::vector<const Event*> seen_;
};

// The most relevant, of those the nearest; then the nearest that goes the other way between the same threads, if there
// is one, by preference on the same memory.
std::vector<Sides> choose_pairs(const ExecutionRecord& record, const std::vector<Sides>& known) {
  const Relevance relevance(record);
  const auto best = std::max_element(known.begin(), known.end(),
                                     [&](const Sides& a, const Sides& b) { return relevance.of(a) < relevance.of(b); });
  std::vector<Sides> shown = {*best};
  const Sides* opposite = nullptr;
  for (const Sides& other : known) {
    if (other.first.event.thread != best->second.event.thread || other.second.event.thread != best->first.event.thread)
      continue;
    const bool same = accesses_meet(other.first.event, best->first.event);
    if (same || opposite == nullptr) opposite = &other;
    if (same) break;
  }
  if (opposite != nullptr && relevance.of(*opposite) == relevance.of(*best)) shown.push_back(*opposite);
  return shown;
}

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
  std::vector<Sides> known;
  for (const DecisivePair& pair : pairs) {
    const auto first = event_at(record, pair.first);
    const auto second = event_at(record, pair.second);
    if (first && second) known.push_back({{pair.first, *first}, {pair.second, *second}});
  }
  if (known.empty()) return;
  std::vector<Sides> shown = choose_pairs(record, known);
  std::sort(shown.begin(), shown.end(),
            [](const auto& a, const auto& b) { return a.first.sequence < b.first.sequence; });
  std::vector<DecidedOrder> orders;
  for (const auto& [a, b] : shown) orders.push_back({a.sequence, a.event, b.sequence, b.event});
  const bool by_a_look = record.outcome == OutcomeKind::kAssertion || record.outcome == OutcomeKind::kException ||
                         record.outcome == OutcomeKind::kExitCode || record.outcome == OutcomeKind::kSignal;
  if (std::string kind = by_a_look ? diagnose(names, orders) : std::string(); !kind.empty()) {
    finding.details.insert(finding.details.begin(), std::move(kind));
  }
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
