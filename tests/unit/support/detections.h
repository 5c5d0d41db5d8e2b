// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs detectors over a trace in its text form. What they find comes back as lines "variant: a b c", where a, b, c are
// the locations of the events in their roles.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <vector>

#include "detect/detector_set.h"
#include "model/text/trace_text.h"

namespace ravel::testing {

struct Detected {
  std::set<std::string> lines;
  std::vector<DetectionRecord> records;
  bool truncated = false;
};

inline std::string line_of(const DetectionRecord& found, const Trace& trace) {
  std::string line = std::to_string(found.variant) + ":";
  for (unsigned i = 0; i < found.roles; ++i) {
    const LocationId location = found.role[i].event.location;
    line += " " + (location < kNamedLocation ? std::string("?") : trace.locations[location - kNamedLocation]);
  }
  return line;
}

// Large tables are costly to make, so a test keeps one bench for all its traces.
class DetectorBench {
 public:
  explicit DetectorBench(std::uint64_t which)
      : causality_(memory_, options()), table_(kMaxDetections), set_(memory_, causality_, which, table_.data()) {}

  Detected run(const std::string& text, const ExecutionResult& result = no_result()) {
    const auto parsed = parse_trace(text);
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().text());
    return parsed ? run(*parsed, result) : Detected{};
  }

  Detected run(const Trace& trace, const ExecutionResult& result = no_result()) {
    causality_.begin();
    const TraceView view{.result = &result};
    set_.begin(view);
    std::uint64_t sequence = 0;
    for (const Event& e : trace.events) {
      const Epoch epoch = causality_.on_event(e);
      set_.on_event(e, Moment{sequence++, epoch, 0});
    }
    set_.finish(view);
    set_.commit_training(result.outcome == OutcomeKind::kCompleted);
    Detected out;
    out.truncated = set_.truncated();
    for (std::uint32_t i = 0; i < set_.found(); ++i) {
      out.records.push_back(table_[i]);
      out.lines.insert(line_of(table_[i], trace));
    }
    return out;
  }

  void set_training(Training* known, bool learning) { set_.set_training(known, learning); }

  static const ExecutionResult& no_result() {
    static const auto result = std::make_unique<ExecutionResult>();
    return *result;
  }

 private:
  static CausalityOptions options() {
    CausalityOptions options;
    options.max_threads = 256;
    options.max_clock_nodes = 1u << 14;
    options.max_sync_places = 1u << 10;
    return options;
  }

  std::pmr::monotonic_buffer_resource memory_;
  Causality causality_;
  std::vector<DetectionRecord> table_;
  DetectorSet set_;
};

}  // namespace ravel::testing
