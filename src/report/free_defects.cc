// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_defects.h"

#include <algorithm>

#include "detect/detector_table.h"
#include "report/library_races.h"
#include "report/trace_observers.h"

namespace ravel {
namespace {

bool works_on_free_runs(const DetectorRow& row) {
  if (row.exact_order || row.predicts || row.needs_training) return false;
  return row.id != DetectorId::kBlocked && row.id != DetectorId::kLivelock && row.id != DetectorId::kDeadStack;
}

// Of plain accesses no values are recorded.
std::string without_value(std::string line) {
  constexpr std::string_view kValue = " -> 0";
  const std::size_t at = line.find(kValue);
  if (at != std::string::npos) line.erase(at, kValue.size());
  return line;
}

FreeFinding free_finding(const Finding& from, std::string detector) {
  FreeFinding finding;
  finding.kind = from.kind;
  finding.message = from.message;
  finding.identity = !from.identity.empty() ? from.identity : std::to_string(from.fingerprint);
  finding.detector = std::move(detector);
  finding.heuristic = from.heuristic;
  finding.location = from.location;
  for (const std::string& line : from.details) finding.details.push_back(without_value(line));
  finding.times = 1;
  return finding;
}

}  // namespace

std::uint64_t free_detectors() {
  std::uint64_t bits = 0;
  for (const DetectorRow& row : detector_table()) bits |= works_on_free_runs(row) ? detector_bit(row.id) : 0;
  return bits;
}

std::string not_in_free_mode(std::uint64_t detectors) {
  std::string names;
  for (const DetectorRow& row : detector_table()) {
    if ((detectors & detector_bit(row.id)) == 0 || works_on_free_runs(row)) continue;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

FreeDefects find_free_defects(FreeTrace& trace, const FreeRecord& run, std::uint64_t detectors,
                              Symbolizer& symbolizer) {
  FreeDefects out;
  // Overlaps were seen by the threads themselves.
  const std::uint64_t overlap = detector_bit(DetectorId::kOverlap);
  if (trace.doubt.empty() && run.traced) {
    const Observed observed = observe(trace.record, detectors & ~overlap);
    out.truncated = observed.truncated || observed.left_out != 0;
  }
  Names names(trace.record, symbolizer);
  out.notes = leave_out_library_races(trace.record, names);
  for (const RaceRecord& race : trace.record.races) {
    out.found.push_back(free_finding(describe_race(names, race), "data-race"));
  }
  for (const DetectionRecord& found : trace.record.detections) {
    const Finding described = describe_detection(names, found);
    out.found.push_back(free_finding(described, described.detector));
  }
  if ((detectors & overlap) == 0) return out;
  for (const RaceRecord& race : trace.overlaps) {
    out.found.push_back(free_finding(describe_race(names, race), "overlap"));
  }
  return out;
}

}  // namespace ravel
