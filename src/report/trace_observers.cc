// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/trace_observers.h"

#include <memory>
#include <memory_resource>

#include "detect/detector_set.h"
#include "detect/detector_table.h"
#include "detect/fasttrack.h"
#include "detect/race_table.h"

namespace ravel {
namespace {

class Nowhere final : public LocationSink {
  void on_location(LocationId) override {}
};

}  // namespace

Observed observe(ExecutionRecord& record, std::uint64_t detectors) {
  std::pmr::monotonic_buffer_resource memory;
  Nowhere nowhere;
  Causality causality(memory, CausalityOptions{});
  record.races.resize(kMaxRaces);
  RaceTable races(record.races.data(), kMaxRaces, nowhere);
  FastTrack fasttrack(memory, causality, races);
  record.detections.resize(kMaxDetections);
  const std::uint64_t race_bit = detector_bit(DetectorId::kDataRace);
  DetectorSet set(memory, causality, detectors & ~race_bit, record.detections.data(), kMaxDetections, kMaxThreads);
  // A trace does not say how its execution ended; one that reached its last event is taken for a complete one.
  auto result = std::make_unique<ExecutionResult>();
  result->outcome = OutcomeKind::kCompleted;
  const TraceView trace{
      .result = result.get(), .events = record.events, .threads = record.threads, .objects = record.objects};
  causality.begin();
  fasttrack.begin();
  set.begin(trace);
  std::uint64_t sequence = 0;
  for (const Event& e : record.events) {
    const Epoch epoch = causality.on_event(e);
    if ((detectors & race_bit) != 0) fasttrack.on_event(e, sequence, epoch);
    set.on_event(e, Moment{sequence, epoch, 0});
    ++sequence;
  }
  set.finish(trace);
  record.races.resize(races.count());
  record.detections.resize(set.found());
  return {static_cast<std::uint32_t>(races.dropped()),
          fasttrack.truncated() || causality.exhausted() || set.truncated()};
}

}  // namespace ravel
