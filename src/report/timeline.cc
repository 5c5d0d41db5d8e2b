// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/timeline.h"

#include <unordered_map>

#include "model/text/printable.h"
#include "report/interleaving.h"
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

  std::shared_ptr<const Timeline> build() {
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
      out.kind = event.kind;
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

std::shared_ptr<const Timeline> make_timeline(Names& names) {
  return Builder(names).build();
}

}  // namespace ravel
