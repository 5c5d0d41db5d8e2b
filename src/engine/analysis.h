// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Analysis: what one execution's events go through, once, in order: counting, fingerprint, happens-before, races,
// shared locations, export. Its tables are scratch memory: rebuilt when a worker starts, emptied in O(1) for each
// execution. A trace that was seen before, and in which nothing was found, is counted and not looked at again.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>

#include "causality/causality.h"
#include "causality/observer_list.h"
#include "detect/detector_set.h"
#include "detect/fasttrack.h"
#include "detect/race_table.h"
#include "detect/shared_locations.h"
#include "engine/event_sink.h"
#include "engine/fingerprint.h"
#include "engine/observation_order.h"
#include "engine/operation_counts.h"
#include "engine/quiet_accesses.h"
#include "engine/seen_traces.h"
#include "engine/sequence_print.h"
#include "engine/trace_compare.h"
#include "model/trace_view.h"
#include "wire/shared_block.h"

namespace ravel {

class Analysis final : public EventSink {
 public:
  enum class Depth : std::uint8_t { kFingerprint, kAll };

  // Locations go to `points`: those that race, or, with PointsMode::kShared, those that are shared. The campaign in the
  // block says which detectors are on.
  // With PointsMode::kRacy, `shared` gets the shared locations of executions whose plan has shared points.
  Analysis(std::pmr::memory_resource& memory, SharedBlock& block, LocationSink& points, PointsMode mode,
           LocationSink* shared = nullptr);

  // Sees the events of kAll of all executions from now on. What it wants and the engine has no use for is no longer
  // left out.
  void add_observer(Observer& observer) { observers_.add(observer); }
  // What observers want beyond the strategy's plan: every access is to be recorded.
  [[nodiscard]] bool wants_filtered() const { return (wants() & kWantsFiltered) != 0; }
  // Traces that were seen before need not be looked at again, unless an observer wants them.
  void skip_known_traces(bool skip) { skip_known_ = skip; }
  void begin(Depth depth, int export_fd);
  // Hears all events too; nullptr: nobody.
  void set_compare(TraceCompare* compare) { compare_ = compare; }
  void consume(std::span<const Event> events, std::uint64_t first) override;
  // After the last event: the result of the block is complete.
  void finish();
  // Detectors that learn: what they know, and whether the next execution teaches them more. nullptr: no training.
  void set_training(Training* known, bool learning) {
    if (detectors_) detectors_->set_training(known, learning);
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_.value(); }
  // The trace was seen before: nobody has looked at it again.
  [[nodiscard]] bool is_known() const { return known_; }
  // SequencePrint of the execution; 0: of a known trace, or of one with too many objects.
  [[nodiscard]] std::uint64_t sequence() const { return known_ || depth_ != Depth::kAll ? 0 : sequence_.value(); }
  [[nodiscard]] std::uint32_t races() const { return tells_races_ ? races_.count() : 0; }
  [[nodiscard]] std::uint32_t detections() const { return detectors_ && !known_ ? detectors_->found() : 0; }
  [[nodiscard]] const OperationCounts& operations() const { return operations_; }
  // Races or shared locations may have been missed.
  [[nodiscard]] bool truncated() const;
  [[nodiscard]] bool export_failed() const { return export_failed_; }

 private:
  class Nowhere final : public LocationSink {
    void on_location(LocationId) override {}
  };

  [[nodiscard]] Wants wants() const { return observers_.wants() | (detectors_ ? detectors_->wants() : 0); }
  void begin_tables();
  void count(std::span<const Event> events, std::uint64_t first);
  void look_at(std::span<const Event> events, std::uint64_t first);
  void look_for_shared(std::span<const Event> events, bool whole);
  void look_around_races();
  void look_at_freed();
  [[nodiscard]] bool uses_heap(const Event& e) const;
  void note_handler_access(const Event& e);
  [[nodiscard]] std::uint64_t operand_of(std::uint64_t sequence) const;
  void tell_others(const Event& e, std::uint64_t sequence, Epoch epoch);
  Epoch look_at_operation(const Event& e, std::uint64_t sequence, bool synchronises, bool may_observe);
  template <bool others>
  void look_at_each(std::span<const Event> events, std::uint64_t first);
  [[nodiscard]] bool is_whole(std::span<const Event> events, std::uint64_t first) const;

  static constexpr std::size_t kMostObservers = 8;

  const SharedBlock& block_;
  TraceView trace_;
  ObserverList<kMostObservers> observers_;  // the strategy's watcher, metrics
  Nowhere nowhere_;
  LocationSink& points_;
  Causality causality_;
  RacyCells racy_cells_;
  HandlerThreads handlers_;
  RaceTable races_;
  FastTrack fasttrack_;
  std::optional<QuietAccesses> quiet_;  // with shared_
  std::optional<SharedLocations> shared_;
  ObservationOrder observations_;
  std::optional<SharedLocations> around_;  // locations that touch racy cells: --points racy
  std::span<const Event> first_;           // events as they came first, and the number of all that came
  std::uint64_t consumed_ = 0;
  std::optional<DetectorSet> detectors_;
  Fingerprint fingerprint_;
  SequencePrint sequence_;
  SeenTraces seen_;
  SeenTraces searched_;            // their racy cells have been looked around
  bool always_shared_ = false;     // the campaign has shared points, not only this execution
  bool looks_for_shared_ = false;  // in this execution
  bool settled_ = false;           // see QuietAccesses
  std::uint64_t trace_key_ = 0;    // of the trace in hand; 0: it is not to be remembered
  bool may_be_known_ = false;      // nothing of the trace has been looked at yet
  bool known_ = false;
  bool skip_known_ = false;
  OperationCounts operations_;
  TraceCompare* compare_ = nullptr;
  Depth depth_ = Depth::kAll;
  int export_fd_ = -1;
  bool export_failed_ = false;
  bool tells_races_ = true;
  bool looks_for_races_ = true;
};

}  // namespace ravel
