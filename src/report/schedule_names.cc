// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/schedule_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace ravel {
namespace {

// Walks the choices of a schedule along the events they led to.
class ChoiceWalk {
 public:
  explicit ChoiceWalk(std::vector<PlanSegment>& segments) : segments_(segments) {}

  // The event that one choice led to; returns the segment that starts with this choice, if one does. Choices of data
  // need not be events (who is woken, a fault that does not happen): those are passed by.
  PlanSegment* take_thread() { return take(false, 0); }
  PlanSegment* take_data(std::uint64_t alternative) { return take(true, alternative); }
  [[nodiscard]] bool lost() const { return lost_; }

 private:
  PlanSegment* take(bool is_data, std::uint64_t alternative) {
    const auto passes = [&](const PlanSegment& s) { return s.is_data && (!is_data || s.choice != alternative); };
    while (at_ < segments_.size() && (used_ == segments_[at_].count || passes(segments_[at_]))) {
      ++at_;
      used_ = 0;
    }
    if (at_ == segments_.size() || segments_[at_].is_data != is_data) {
      lost_ = true;
      return nullptr;
    }
    return used_++ == 0 ? &segments_[at_] : nullptr;
  }

  std::vector<PlanSegment>& segments_;
  std::size_t at_ = 0;
  std::uint32_t used_ = 0;
  bool lost_ = false;  // schedule and events do not belong together: say nothing rather than something wrong
};

void describe(PlanSegment& segment, const Event& event, Names& names) {
  segment.operation = std::string(op_name(event.kind));
  // The user's own line: every program starts its threads at the same place of the standard library.
  segment.place = names.user_place(event.location, event.context);
  const std::string object = names.object_text(event.object, event.offset);
  segment.comment = fmt::format("{}{}{} at {}", segment.operation, object.empty() ? "" : " ", object,
                                names.place_text(event.location, event.context));
}

std::string segment_text(const PlanSegment& segment, const std::string& thread) {
  if (segment.operation.empty()) return fmt::format("{} (operation not recorded)", thread);
  return fmt::format("{} of {} at {}+{}:{}", segment.operation, thread, segment.place.function, segment.place.line,
                     segment.place.column);
}

}  // namespace

std::vector<PlanSegment> name_schedule(const ExecutionRecord& record, Names& names) {
  std::vector<PlanSegment> segments;
  segments.reserve(record.schedule.size());
  for (const Segment& segment : record.schedule) {
    PlanSegment named;
    named.is_data = (segment.thread & kDataChoice) != 0;
    named.choice = segment.thread & ~kDataChoice;
    named.count = std::max<std::uint32_t>(segment.count, 1);
    segments.push_back(std::move(named));
  }
  if (record.first_sequence() != 0) return segments;
  ChoiceWalk walk(segments);
  for (const Event& event : record.events) {
    if ((event.bits & kChosen) != 0) {
      if (PlanSegment* start = walk.take_thread()) describe(*start, event, names);
    }
    if (event.kind == OpKind::kChoice) {
      if (PlanSegment* start = walk.take_data(event.value)) describe(*start, event, names);
    }
    if (walk.lost()) break;
  }
  return segments;
}

std::optional<std::string> first_misfit(const PlanFile& plan, const std::vector<PlanSegment>& run,
                                        const ExecutionRecord& record) {
  std::uint64_t decision = 0;
  for (std::size_t i = 0; i < plan.schedule.size(); ++i) {
    const PlanSegment& expected = plan.schedule[i];
    const std::string wanted =
        expected.is_data ? fmt::format("choice {}", expected.choice) : plan.threads.at(expected.choice).lineage;
    if (i >= run.size()) {
      return fmt::format("decision {}: expected {}, but the program made no further choice", decision,
                         segment_text(expected, wanted));
    }
    const PlanSegment& found = run[i];
    const std::string got =
        found.is_data ? fmt::format("choice {}", found.choice) : lineage_of(record.threads, found.choice);
    const bool named = !expected.operation.empty() && !found.operation.empty();
    if (wanted != got || (named && (expected.operation != found.operation || !(expected.place == found.place)))) {
      return fmt::format("decision {}: expected {}, found {}", decision, segment_text(expected, wanted),
                         segment_text(found, got));
    }
    if (expected.count != found.count) {
      const bool last = i + 1 == plan.schedule.size() && found.count > expected.count;
      if (!last) {
        return fmt::format("decision {}: expected {} choices of {}, found {}", decision, expected.count, wanted,
                           found.count);
      }
    }
    decision += expected.count;
  }
  return std::nullopt;
}

}  // namespace ravel
