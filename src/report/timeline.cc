// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/timeline.h"

#include <unordered_map>

#include "model/text/printable.h"
#include "report/interleaving.h"
#include "report/sequence.h"
#include "report/sequence_races.h"
#include "report/source_text.h"

namespace ravel {
namespace {

class Builder {
 public:
  explicit Builder(Names& names) : names_(names), record_(names.record()) {
    line_.places.emplace_back();
    line_.objects.emplace_back();
    line_.values.emplace_back();
    values_.emplace("", 0);
  }

  std::shared_ptr<const Timeline> build(const SequenceRaces* races) {
    line_.first_event = record_.first_sequence();
    for (ThreadIndex i = 0; i < record_.threads.size(); ++i) line_.threads.push_back(finding_thread(record_, i));
    add_events();
    for (const LockSpan& span : lock_spans(record_.events)) {
      line_.locks.push_back({span.thread, object(span.place), static_cast<std::uint32_t>(span.from),
                             static_cast<std::uint32_t>(span.to), span.shared});
    }
    OrderEdges order = order_edges(record_.events);
    line_.edges = std::move(order.edges);
    line_.edges_exact = order.exact;
    for (const WaitingRecord& waiting : record_.waiting) {
      line_.waits.push_back({waiting.thread, waiting.wants, place(waiting.location, waiting.context),
                             object((std::uint64_t{waiting.object} << 32) | waiting.offset),
                             waiting.role == HolderRole::kOwner ? waiting.holder : kNoThread});
    }
    line_.outcome = record_.outcome;
    if (is_defect(record_.outcome) && record_.waiting.empty()) {
      line_.failing_thread = record_.thread;
      line_.failing_place = place(record_.location, record_.context);
    }
    add_sequence(races);
    line_.files = source_files(line_.places);
    return std::make_shared<const Timeline>(std::move(line_));
  }

 private:
  void add_events() {
    const auto written = written_values(record_.events);
    line_.events.reserve(record_.events.size());
    for (std::size_t i = 0; i < record_.events.size(); ++i) {
      const Event& event = record_.events[i];
      TimelineEvent out;
      out.kind = shown_kind(event);
      out.bits = event.bits;
      out.thread = event.thread;
      out.place = place(event.location, event.context);
      out.object = object(place_of(event));
      const auto value = written.find(i);
      out.value = text(value != written.end() ? written_text(value->second, event) : event_value(names_, event));
      out.quiet = is_background(event.kind) || is_machinery(names_, event);
      line_.events.push_back(out);
    }
  }

  void add_sequence(const SequenceRaces* races) {
    constexpr std::size_t kMost = 2000;  // more cannot be looked at
    if (record_.first_sequence() != 0) return;
    SequenceNames objects(names_);
    const std::vector<SynEvent> events = sequence_of(names_, objects);
    if (events.size() > kMost) return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < record_.events.size() && next < events.size(); ++i) {
      if (in_sequence(record_.events[i])) add_to_sequence(events[next++], i);
    }
    if (races != nullptr) add_races(*races);
    for (const SynEvent& event : waiting_in_sequence(names_, objects)) add_to_sequence(event, record_.events.size());
  }
  void add_to_sequence(const SynEvent& event, std::size_t at) {
    TimelineSequenceEvent out;
    out.thread = printable_line(event.thread);
    if (!is_label(event.kind)) out.object = printable_line(event.object);
    out.text = printable_line(event_text(event));
    out.event = static_cast<std::uint32_t>(at);
    line_.sequence.push_back(std::move(out));
  }
  // Entries of the races are in the same order; choices among them are no events of the sequence.
  void add_races(const SequenceRaces& races) {
    std::vector<const SequenceRaces::Entry*> entries;
    for (const SequenceRaces::Entry& entry : races.events) {
      if (entry.position != 0 && !entry.open.empty()) entries.push_back(&entry);
    }
    std::size_t completions = 0;
    for (const TimelineSequenceEvent& event : line_.sequence) completions += !event.object.empty();
    if (completions != entries.size()) return;
    line_.sequence_races = true;
    std::size_t next = 0;
    for (TimelineSequenceEvent& event : line_.sequence) {
      if (event.object.empty()) continue;
      for (const std::string& call : entries[next]->races) event.races.push_back(printable_line(call));
      ++next;
    }
  }

  std::uint32_t place(LocationId location, ContextId context) {
    if (location == 0) return 0;
    const std::uint64_t key = (std::uint64_t{context} << 32) | location;
    const auto known = locations_.find(key);
    if (known != locations_.end()) return known->second;
    SourcePlace source = source_place(names_, location, context);
    // Several call paths and instructions are one line to a person.
    const std::string name = source.text + '\n' + source.function;
    const auto [entry, fresh] = lines_.try_emplace(name, static_cast<std::uint32_t>(line_.places.size()));
    if (fresh) line_.places.push_back(std::move(source));
    locations_.emplace(key, entry->second);
    return entry->second;
  }

  std::uint32_t object(std::uint64_t key) {
    if (key >> 32 == 0 || key >> 32 >= record_.objects.size()) return 0;
    const auto [entry, fresh] = objects_.try_emplace(key, static_cast<std::uint32_t>(line_.objects.size()));
    if (fresh) {
      line_.objects.push_back(printable_line(
          names_.object_text(static_cast<ObjectId>(key >> 32), static_cast<std::uint32_t>(key & 0xffffffffu))));
    }
    return entry->second;
  }

  std::uint32_t text(const std::string& value) {
    const auto [entry, fresh] = values_.try_emplace(value, static_cast<std::uint32_t>(line_.values.size()));
    if (fresh) line_.values.push_back(value);
    return entry->second;
  }

  Names& names_;
  const ExecutionRecord& record_;
  Timeline line_;
  std::unordered_map<std::uint64_t, std::uint32_t> locations_;
  std::unordered_map<std::string, std::uint32_t> lines_;
  std::unordered_map<std::uint64_t, std::uint32_t> objects_;
  std::unordered_map<std::string, std::uint32_t> values_;
};

}  // namespace

std::shared_ptr<const Timeline> make_timeline(Names& names, const SequenceRaces* races) {
  return Builder(names).build(races);
}

}  // namespace ravel
