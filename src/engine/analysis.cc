// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/analysis.h"

#include <errno.h>
#include <unistd.h>

#include "wire/shared_block.h"
#include "wire/trace_of.h"

namespace ravel {
namespace {

CausalityOptions causality_options() {
  CausalityOptions options;
  options.max_threads = kMaxThreads;
  options.max_clock_nodes = 1u << 20;
  return options;
}

bool write_all(int fd, const void* data, std::size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::write(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Analysis::Analysis(std::pmr::memory_resource& memory, SharedBlock& block, LocationSink& points, PointsMode mode,
                   LocationSink* shared)
    : block_(block),
      trace_(trace_of(block)),
      points_(mode == PointsMode::kRacy || mode == PointsMode::kShared ? points : static_cast<LocationSink&>(nowhere_)),
      causality_(memory, causality_options()),
      racy_cells_(memory),
      races_(block.result.race_table, kMaxRaces,
             mode == PointsMode::kRacy ? points : static_cast<LocationSink&>(nowhere_),
             mode == PointsMode::kRacy ? &racy_cells_ : nullptr),
      fasttrack_(memory, causality_, races_),
      sequence_(memory),
      seen_(memory),
      searched_(memory) {
  if (mode == PointsMode::kRacy) around_.emplace(memory, points, 1u << 20, 1u << 21, &racy_cells_);
  if (mode == PointsMode::kShared || (mode == PointsMode::kRacy && shared != nullptr)) {
    quiet_.emplace(memory, mode == PointsMode::kShared ? points : *shared, block.objects);
    shared_.emplace(memory, *quiet_);
  }
  always_shared_ = mode == PointsMode::kShared;
  const std::uint64_t which = block.campaign.detectors;
  const std::uint64_t race_bit = detector_bit(DetectorId::kDataRace);
  tells_races_ = (which & race_bit) != 0;
  looks_for_races_ = tells_races_ || mode == PointsMode::kRacy;
  if ((which & all_detectors() & ~race_bit) != 0) {
    detectors_.emplace(memory, causality_, which, block.result.detection_table, kMaxDetections, kMaxThreads);
  }
}

void Analysis::begin(Depth depth, int export_fd) {
  depth_ = depth;
  looks_for_shared_ = shared_ && (always_shared_ || block_.plan.points == PointsMode::kShared);
  settled_ = false;
  if (depth_ == Depth::kAll) observers_.begin(trace_, block_.plan.without_shortcuts != 0);
  export_fd_ = export_fd;
  fingerprint_ = Fingerprint{};
  operations_.clear();
  races_.begin();
  racy_cells_.begin();
  handlers_.begin();
  observations_.begin();
  first_ = {};
  consumed_ = 0;
  known_ = false;
  trace_key_ = 0;
  // Training counts what it sees.
  may_be_known_ = depth == Depth::kAll && skip_known_ && (wants() & kWantsKnown) == 0 &&
                  block_.campaign.training == 0 && block_.plan.record_steps == 0 && block_.plan.without_shortcuts == 0;
  // A trace may be known from an execution in which nobody looked for shared locations.
  may_be_known_ = may_be_known_ && (always_shared_ || !looks_for_shared_);
  if (!may_be_known_) begin_tables();
}

void Analysis::begin_tables() {
  sequence_.begin(trace_);
  causality_.begin();
  const bool at_length = block_.plan.without_shortcuts != 0;
  fasttrack_.begin(at_length);
  if (looks_for_shared_) shared_->begin();
  if (detectors_) detectors_->begin(trace_, at_length);
}

// All events of the execution, and not too many of them to meet them again.
bool Analysis::is_whole(std::span<const Event> events, std::uint64_t first) const {
  return first == 0 && events.size() == block_.result.events.load(std::memory_order_relaxed) &&
         events.size() <= SeenTraces::kLongest;
}

// Fingerprint and numbers of operations; also, whether the trace is known, if all of it is here.
void Analysis::count(std::span<const Event> events, std::uint64_t first) {
  SeenTraces::Key key;
  if (!may_be_known_) {
    for (const Event& e : events) {
      fingerprint_.add(e);
      operations_.add(e.kind);
    }
    return;
  }
  for (const Event& e : events) {
    const std::uint64_t word = Fingerprint::word_of(e);
    fingerprint_.add(word);
    key.add(word, e);
    operations_.add(e.kind);
  }
  if (is_whole(events, first) && block_.result.outcome == OutcomeKind::kCompleted) {
    known_ = seen_.contains(key.value()) && observers_.recall(key.value());
    if (!known_) trace_key_ = key.value();
  }
  if (!known_) begin_tables();
  may_be_known_ = false;
}

void Analysis::look_for_shared(std::span<const Event> events, bool whole) {
  quiet_->begin(whole ? events : std::span<const Event>{});
  settled_ = quiet_->settled() && block_.plan.without_shortcuts == 0;
  if (settled_) return;
  for (const Event& e : events) {
    if (e.kind >= OpKind::kCount) continue;
    const Epoch epoch = shared_->on_event(e);
    quiet_->on_event(e, epoch, *shared_);
  }
  quiet_->finish(events, !shared_->truncated() && !shared_->crowded());
}

// A lock or the like in a block that somebody may free.
bool Analysis::uses_heap(const Event& e) const {
  return op_class(e.kind) == OpClass::kSync && e.object < kMaxObjects &&
         block_.objects[e.object].kind == ObjectKind::kHeap;
}

// Whatever else touches it may be interrupted by the handler: look_around_races() finds out.
void Analysis::note_handler_access(const Event& e) {
  if (access_class(e) == AccessClass::kNone || e.object == 0) return;
  for_each_cell(e.offset, e.size, [&](std::uint32_t offset, std::uint8_t) { racy_cells_.add(e.object, offset); });
}

std::uint64_t Analysis::operand_of(std::uint64_t sequence) const {
  return block_.operands[sequence & (kRingEvents - 1)];
}

inline void Analysis::tell_others(const Event& e, std::uint64_t sequence, Epoch epoch) {
  const bool observed = observers_.want(e.kind);
  const bool checked = detectors_ && detectors_->want(e.kind);
  if (!observed && !checked) return;
  const Moment at{sequence, epoch, operand_of(sequence)};
  if (observed) observers_.on_event(e, at);
  if (checked) detectors_->on_event(e, at);
}

void Analysis::look_at(std::span<const Event> events, std::uint64_t first) {
  if (looks_for_shared_) look_for_shared(events, is_whole(events, first));
  if (settled_ || !observers_.empty() || detectors_) {
    look_at_each<true>(events, first);
  } else {
    look_at_each<false>(events, first);
  }
}

namespace {
// What an event may be to look_at_each(), by its kind.
enum class Work : std::uint8_t {
  kNothing,      // no kind of operation
  kAccess,       // to causality and the race detector alone
  kSequence,     // synchronisation and choices
  kObservation,  // what ObservationOrder looks at
  kOther,
};
struct WorkColumn {
  Work of[256] = {};
  constexpr WorkColumn() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
      switch (op_class(static_cast<OpKind>(i))) {
        case OpClass::kPlain:
        case OpClass::kAtomic:
          of[i] = Work::kAccess;
          break;
        case OpClass::kSync:
        case OpClass::kChoice:
          of[i] = Work::kSequence;
          break;
        case OpClass::kLifecycle:
        case OpClass::kInternal:
          of[i] = Work::kObservation;
          break;
        default:
          of[i] = Work::kOther;
      }
    }
  }
};
constexpr WorkColumn kWork;
}  // namespace

// Without `others`: nobody but the race detector looks, and at all accesses.
template <bool others>
void Analysis::look_at_each(std::span<const Event> events, std::uint64_t first) {
  // No consumer but the race detector would look at quiet accesses.
  const bool nobody_looks = others && settled_ && (wants() & kWantsQuiet) == 0;
  const bool races = looks_for_races_;
  const bool around = around_.has_value();
  const bool large = races && fasttrack_.is_large();
  for (std::size_t at = 0; at < events.size(); ++at) {
    const Event& e = events[at];
    const std::uint64_t sequence = first++;
    if (large) fasttrack_.expect(events, at);
    const Work work = kWork.of[static_cast<std::size_t>(e.kind)];
    if (work == Work::kNothing) continue;
    const bool quiet = others && settled_ && quiet_->is_quiet(e);
    if (quiet && nobody_looks && operand_of(sequence) == kNoPoint && causality_.may_skip(e)) continue;
    Epoch epoch;
    if (work == Work::kAccess) {
      if (around && handlers_.inside() && handlers_.follow(e)) note_handler_access(e);
      epoch = causality_.on_event(e);
      if (races && !quiet) fasttrack_.on_access(e, sequence, epoch);
    } else {
      epoch = look_at_operation(e, sequence, work == Work::kSequence, work == Work::kObservation);
    }
    if (others) tell_others(e, sequence, epoch);
  }
}

// What is no access.
Epoch Analysis::look_at_operation(const Event& e, std::uint64_t sequence, bool synchronises, bool may_observe) {
  if (synchronises) sequence_.add(e);
  if (may_observe) observations_.on_event(e, points_);
  bool use = false;
  if (around_ && (op_class(e.kind) == OpClass::kSync || handlers_.inside())) {
    if (handlers_.follow(e)) note_handler_access(e);
    use = uses_heap(e);
    if (use) causality_.use(e.thread);
  }
  const Epoch epoch = causality_.on_event(e);
  if (use) fasttrack_.use(e.object, epoch);
  if (!looks_for_races_) return epoch;
  if (synchronises && moves_mutex(e.kind, e.bits)) fasttrack_.move_mutex(e, sequence, epoch);
  fasttrack_.on_event(e, sequence, epoch);
  return epoch;
}

void Analysis::consume(std::span<const Event> events, std::uint64_t first) {
  if (export_fd_ >= 0 && !export_failed_) {
    export_failed_ = !write_all(export_fd_, events.data(), events.size_bytes());
  }
  if (compare_ != nullptr) compare_->consume(events, first);
  if (first == 0) first_ = events;
  consumed_ = first + events.size();
  // In parts that stay in the cache between the two.
  constexpr std::size_t kPart = SeenTraces::kLongest;
  for (std::size_t at = 0; at < events.size(); at += kPart) {
    const std::span<const Event> part = events.subspan(at, events.size() - at < kPart ? events.size() - at : kPart);
    count(part, first + at);
    if (depth_ == Depth::kAll && !known_) look_at(part, first + at);
  }
}

// Every location that touches a racy cell is to be a point, not only the two that the race detector names. The events
// are still there: as they came, or in the ring.
void Analysis::look_around_races() {
  if (!around_ || racy_cells_.empty()) return;
  if (trace_key_ != 0 && searched_.contains(trace_key_)) return;
  around_->begin();
  const auto look = [this](const Event& e) {
    if (e.kind >= OpKind::kCount) return;
    const bool elsewhere = (e.kind == OpKind::kRead || e.kind == OpKind::kWrite) && e.offset % 8 + e.size <= 8 &&
                           !racy_cells_.has(e.object, e.offset & ~7u);
    if (!elsewhere) around_->on_event(e);
  };
  if (first_.size() == consumed_) {
    for (const Event& e : first_) look(e);
  } else {
    const std::uint64_t kept = consumed_ < kRingEvents ? consumed_ : kRingEvents;
    for (std::uint64_t i = consumed_ - kept; i < consumed_; ++i) look(block_.ring[i & (kRingEvents - 1)]);
  }
  if (trace_key_ != 0 && !around_->truncated()) searched_.add(trace_key_);
}

// The use that ended the execution is no event: nobody has seen that it conflicts with the free. It ends everybody
// else's turn, so others may come first, also where one thread did both.
void Analysis::look_at_freed() {
  const ExecutionResult& result = block_.result;
  if (!is_about_heap(result.outcome)) return;
  if (result.heap.freed.location == 0) return;
  points_.on_location(result.location);
  points_.on_location(result.heap.freed.location);
}

void Analysis::finish() {
  if (depth_ != Depth::kAll || known_) return;
  look_around_races();
  look_at_freed();
  observations_.finish(block_.result, points_);
  if (may_be_known_) begin_tables();  // there was no event
  observers_.finish(trace_);
  if (detectors_) {
    detectors_->finish(trace_);
    detectors_->commit_training(block_.result.outcome == OutcomeKind::kCompleted);
  }
  if (trace_key_ != 0 && races_.count() == 0 && detections() == 0 && !truncated()) {
    seen_.add(trace_key_);
    observers_.keep(trace_key_);
  }
}

bool Analysis::truncated() const {
  if (known_) return false;  // the tables are those of another trace
  const bool around = !racy_cells_.empty() && around_ && (around_->truncated() || consumed_ > kRingEvents);
  return fasttrack_.truncated() || causality_.exhausted() || (looks_for_shared_ && shared_->truncated()) || around ||
         racy_cells_.full() || (detectors_ && detectors_->truncated());
}

}  // namespace ravel
