// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/cycle.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/interleaving.h"

namespace ravel {
namespace {

constexpr std::size_t kMaxCycle = 4096;
constexpr std::size_t kMaxShown = 16;
constexpr std::size_t kFallback = 1000;  // events looked at when nothing repeats exactly

bool same_step(const Event& a, const Event& b) {
  return a.kind == b.kind && a.thread == b.thread && a.location == b.location;
}

}  // namespace

std::size_t cycle_length(const std::vector<Event>& events) {
  const std::size_t n = events.size();
  for (std::size_t length = 1; length <= kMaxCycle && length * 3 <= n; ++length) {
    bool repeats = true;
    for (std::size_t i = 0; i < 2 * length && repeats; ++i) {
      repeats = same_step(events[n - 1 - i], events[n - 1 - i - length]);
    }
    if (repeats) return length;
  }
  return 0;
}

CycleReport find_cycle(Names& names) {
  const std::vector<Event>& events = names.record().events;
  CycleReport report;
  if (events.empty()) return report;
  const std::size_t length = cycle_length(events);
  const std::size_t window = length != 0 ? length : std::min(events.size(), kFallback);
  report.lines.push_back(length != 0 ? fmt::format("these {} events repeat until the end:", length)
                                     : fmt::format("places of the last {} events:", window));
  std::vector<std::string> shown;
  std::size_t left_out = 0;
  for (std::size_t i = events.size() - window; i < events.size(); ++i) {
    const Event& event = events[i];
    if (std::find(report.threads.begin(), report.threads.end(), event.thread) == report.threads.end()) {
      report.threads.push_back(event.thread);
    }
    const std::string object = names.object_text(event.object, event.offset);
    std::string line =
        fmt::format("  {} {} {}{}{}", names.thread_label(event.thread), names.place_text(event.location, event.context),
                    op_name(shown_kind(event)), object.empty() ? "" : " ", object);
    if (std::find(shown.begin(), shown.end(), line) != shown.end()) continue;
    if (shown.size() == kMaxShown) {
      ++left_out;
    } else {
      shown.push_back(std::move(line));
    }
  }
  report.lines.insert(report.lines.end(), shown.begin(), shown.end());
  if (left_out != 0) report.lines.push_back("  ...");
  report.location = events[events.size() - window].location;
  report.context = events[events.size() - window].context;
  return report;
}

}  // namespace ravel
