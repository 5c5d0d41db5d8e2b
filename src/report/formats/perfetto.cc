// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Trace events as Perfetto and chrome://tracing read them. An execution is a process, a thread a track; an event is 8
// units long and the next one, of whichever thread, begins 10 units later: time is the order, nothing else. Locks are
// asynchronous slices since they need not nest; arrows are flows.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/formats/escape.h"
#include "report/formats/renderers.h"
#include "report/timeline.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kStride = 10;
constexpr std::uint64_t kLength = 8;

class Writer {
 public:
  void add(const Timeline& line, const std::string& title) {
    ++process_;
    metadata("process_name", 0, {{"name", shortened(valid_utf8(title), kShownName)}});
    for (const FindingThread& thread : line.threads) {
      std::string name = fmt::format("T{} {}", thread.index, thread.lineage);
      if (!thread.name.empty()) name += " " + thread.name;
      metadata("thread_name", thread.index, {{"name", shortened(valid_utf8(name), kShownName)}});
      metadata("thread_sort_index", thread.index, {{"sort_index", thread.index}});
    }
    for (std::size_t i = 0; i < line.events.size(); ++i) slice(line, i);
    for (const TimelineLock& lock : line.locks) span(line, lock);
    for (const OrderEdge& edge : line.edges) {
      ++id_;
      flow("s", line, edge.from, edge.wakes);
      flow("f", line, edge.to, edge.wakes);
    }
  }

  Json take() { return std::move(events_); }

 private:
  void metadata(std::string_view name, ThreadIndex thread, Json arguments) {
    events_.push_back(
        {{"ph", "M"}, {"pid", process_}, {"tid", thread}, {"name", name}, {"args", std::move(arguments)}});
  }

  void slice(const Timeline& line, std::size_t i) {
    const TimelineEvent& event = line.events[i];
    std::string name(op_name(event.kind));
    if (event.object != 0) name += " " + line.objects[event.object];
    Json arguments = {{"event", line.first_event + i}};
    if (event.value != 0) arguments["value"] = line.values[event.value];
    if (event.place != 0) arguments["place"] = line.places[event.place].text;
    events_.push_back({{"ph", "X"},
                       {"pid", process_},
                       {"tid", event.thread},
                       {"ts", i * kStride},
                       {"dur", kLength},
                       {"cat", event.quiet ? "background" : "event"},
                       {"name", shortened(valid_utf8(name), kShownName)},
                       {"args", std::move(arguments)}});
  }

  void span(const Timeline& line, const TimelineLock& lock) {
    ++id_;
    const std::string name =
        shortened(valid_utf8((lock.shared ? "shared " : "") + line.objects[lock.object]), kShownName);
    for (const bool begin : {true, false}) {
      events_.push_back({{"ph", begin ? "b" : "e"},
                         {"pid", process_},
                         {"tid", lock.thread},
                         {"ts", begin ? lock.from * kStride : lock.to * kStride + kLength},
                         {"cat", "lock"},
                         {"id", id_},
                         {"name", name}});
    }
  }

  void flow(const char* phase, const Timeline& line, std::uint32_t event, bool wakes) {
    Json json = {{"ph", phase},
                 {"pid", process_},
                 {"tid", line.events[event].thread},
                 {"ts", event * kStride + kLength / 2},
                 {"cat", "order"},
                 {"id", id_},
                 {"name", wakes ? "wakes" : "happens before"}};
    if (*phase == 'f') json["bp"] = "e";
    events_.push_back(std::move(json));
  }

  Json events_ = Json::array();
  std::uint32_t process_ = 0;
  std::uint32_t id_ = 0;
};

}  // namespace

std::string perfetto_format(const ReportView& report) {
  Writer writer;
  std::vector<const Timeline*> done;
  for (const Finding& finding : report.findings()) {
    const Timeline* line = finding.timeline.get();
    if (line == nullptr || std::find(done.begin(), done.end(), line) != done.end()) continue;
    done.push_back(line);
    writer.add(*line, fmt::format("{} {}", outcome_name(finding.kind), finding.message));
  }
  if (done.empty() && report.replay != nullptr && report.replay->timeline != nullptr)
    writer.add(*report.replay->timeline, report.replay->plan);
  const Json json = {{"displayTimeUnit", "ns"},
                     {"otherData", {{"tool", "Ravel"}, {"program", report.program()}, {"time", "order of events"}}},
                     {"traceEvents", writer.take()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ravel
