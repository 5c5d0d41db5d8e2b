// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Layout of the arena: CampaignState | lasting memory | scratch memory for Analysis | coverage, if it is measured.
// Pages that are never touched cost nothing.
#include "engine/campaign.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/hash.h"
#include "base/invariant.h"
#include "engine/analysis.h"
#include "engine/campaign_state.h"
#include "engine/coverage.h"
#include "engine/progress.h"
#include "explore/sampling.h"
#include "model/outcome_listing.h"
#include "wire/facts_table.h"
#include "wire/shared_block.h"
#include "wire/shared_tree.h"
#include "wire/trace_of.h"

namespace ravel {
namespace {

constexpr std::size_t kLastingBegin = (sizeof(CampaignState) + 4095) & ~std::size_t{4095};
constexpr std::size_t kScratchBegin = std::size_t{384} << 20;
constexpr std::uint64_t kLengthsAllowed = 8;    // an execution may be so many times as long as the first
constexpr std::uint64_t kAlikeExecutions = 16;  // so many without a choice are enough to call a program vacuous
constexpr std::uint32_t kMostAttempts = 3;      // an execution that kills the worker each time is given up
static_assert(kLastingBegin < kScratchBegin && kScratchBegin < kCoverageBegin);

class CampaignLoop {
 public:
  CampaignLoop(SharedBlock& block, Executor& executor, CampaignState& state)
      : block_(block),
        executor_(executor),
        state_(state),
        parts_(state.parts),
        lasting_(state, block.campaign.mode == RunMode::kExplore),
        scratch_(*Arena::create(block.arena + kScratchBegin, kCoverageBegin - kScratchBegin)),
        analysis_(scratch_, block, lasting_.points,
                  block.campaign.mode == RunMode::kExplore ? block.campaign.base.points : PointsMode::kSync,
                  &lasting_.shared),
        compare_(scratch_, block.campaign.verify != 0 || block.campaign.repeat > 1) {
    analysis_.set_compare(&compare_);
    // A search of a tree hardly ever runs into the same trace again.
    analysis_.skip_known_traces(parts_.strategy != nullptr && !state.searches_tree && !state.fixed_points);
    if (parts_.watcher != nullptr) analysis_.add_observer(*parts_.watcher);
    const auto* facts = reinterpret_cast<const FactsTableHeader*>(block.campaign.facts);
    if (state.follows_goal || state.needs_target) goal_entries_ = facts_in(facts).guide.entries.size();
    cover_ = open_coverage(block, state, scratch_);
    if (cover_ != nullptr) analysis_.add_observer(*cover_);
    if (block.campaign.mode == RunMode::kExplore && block.campaign.training != 0) {
      lasting_.training = &state.sections.open<Training>(*state.memory, "training");
    }
  }

  void explore() {
    // What cannot be split is searched by the first shard.
    if (state_.idle) {
      block_.progress.complete.store(1, std::memory_order_relaxed);
      block_.progress.promise_kept.store(1, std::memory_order_relaxed);
      return;
    }
    while (!over()) {
      if (parts_.shared != nullptr && !await([this] { return parts_.shared->can_plan(); }, Waiting::kForWork)) break;
      block_.plan = block_.campaign.base;
      if (!state_.fixed_points) block_.plan.racy_locations = now().points;
      block_.plan.points_version = now().points_version;
      limit_steps(block_.plan);
      PlanWriter writer{block_.plan, block_.prefix, block_.sequence, block_.goals};
      if (!parts_.strategy->next(writer)) {
        const SearchVerdict verdict = verdict_of(state_);
        INVARIANT(!verdict.complete || verdict.kept, "who has covered everything has covered what was asked for");
        block_.progress.complete.store(verdict.complete ? 1 : 0, std::memory_order_relaxed);
        block_.progress.promise_kept.store(verdict.kept ? 1 : 0, std::memory_order_relaxed);
        break;
      }
      INVARIANT(block_.plan.prefix_segments <= kMaxSegments, "a strategy's prefix fits into the block");
      if (has_more_points()) take_shared_points(block_.plan);
      if (analysis_.wants_filtered()) block_.plan.record_steps = 1;
      if (cover_ != nullptr) block_.plan.record_also = recorded_for(block_.campaign.coverage);
      let_time_pass(block_.plan);
      if (begin_attempt()) {
        if (block_.campaign.verify != 0) execute_for_verification();
        execute(-1);
      }
      if (parts_.shared != nullptr &&
          !await([this] { return parts_.shared->can_learn(execution()); }, Waiting::kWithAnExecution)) {
        break;
      }
      conclude();
    }
    // What holds also when the budget has ended.
    const SearchVerdict verdict = verdict_of(state_);
    if (state_.fixed_points && verdict.kept) block_.progress.promise_kept.store(1);
    publish_operations(block_, now());
    publish_search(verdict);
    if (parts_.shared != nullptr) parts_.shared->leave();
    write_note(block_, state_, lasting_, analysis_.export_failed());
  }

  // The plan is the driver's; the first execution is what the others are compared with.
  void replay() {
    const std::uint64_t repeat = block_.campaign.repeat == 0 ? 1 : block_.campaign.repeat;
    while (now().executions < repeat && !stopped()) {
      const bool first = now().executions == 0;
      const int fd = first ? block_.campaign.export_fd : -1;
      if (fd >= 0 && ::lseek(fd, 0, SEEK_SET) == 0 && ::ftruncate(fd, 0) != 0) break;
      compare_.begin(first ? TraceCompare::Mode::kKeep : TraceCompare::Mode::kCompare);
      if (cover_ != nullptr) block_.plan.record_also = recorded_for(block_.campaign.coverage);
      if (begin_attempt()) execute(fd);
      Counters& next = count_execution();
      count_coverage(next, Share::kCounts);
      if (first) {
        next.fingerprint = block_.result.fingerprint;
        next.outcome = block_.result.outcome;
      } else if (block_.result.fingerprint != next.fingerprint || block_.result.outcome != next.outcome) {
        ++next.mismatches;
        compare_.report(block_.difference, next.executions - 1, next.outcome, block_.result.outcome);
      }
      state_.counters.commit();
      if (cover_ != nullptr) publish_coverage(block_, now());
      publish(block_, now(), state_.counters.steps());
    }
    publish_operations(block_, now());
    write_note(block_, state_, lasting_, analysis_.export_failed());
  }

  // Scheduling points that static facts name: in force from the first execution on. Done again when a worker was killed
  // over it.
  void begin_with_facts() {
    const Campaign& campaign = block_.campaign;
    if (campaign.mode != RunMode::kExplore || campaign.base.points != PointsMode::kRacy || state_.fixed_points) return;
    if (campaign.facts == 0 || state_.counters.steps() != 0 || now().points_known != 0) return;
    const StaticFacts facts = facts_in(reinterpret_cast<const FactsTableHeader*>(campaign.facts));
    for (const LocationId location : facts.points) lasting_.points.on_location(location);
    if (lasting_.points.count() == 0) return;
    Counters& first = state_.counters.initial();
    const std::uint64_t offset = sorted_copy(lasting_.points);
    if (offset == 0) return;
    first.points_offset = offset;
    first.points_version = 1;
    first.points = lasting_.points.count();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    first.points_known = first.points;
  }

  // What a killed worker may have left undone.
  void recover() {
    if (parts_.strategy != nullptr) parts_.strategy->recover(state_.counters.steps());
    if (block_.campaign.mode == RunMode::kExplore) derive();
    publish(block_, now(), state_.counters.steps());
  }

 private:
  [[nodiscard]] const Counters& now() const { return state_.counters.current(); }
  [[nodiscard]] bool stopped() const { return block_.control.stop.load(std::memory_order_relaxed) != 0; }
  [[nodiscard]] bool over() const {
    const std::uint64_t limit = block_.campaign.iterations;
    return stopped() || now().ended != 0 || now().early_end != EarlyEnd::kNone ||
           (limit != 0 && state_.counters.steps() - state_.steps_before >= limit);
  }

  // The strategy wants shared points in a campaign with racy ones.
  [[nodiscard]] bool has_more_points() const {
    return block_.plan.points == PointsMode::kShared && block_.campaign.base.points == PointsMode::kRacy;
  }
  // derive() puts the others back.
  void take_shared_points(PlanSpec& plan) {
    constexpr std::uint32_t kOfSharedPoints = 1u << 31;
    if (now().shared == 0) return;
    plan.racy_locations = now().shared;
    plan.points_version = kOfSharedPoints | now().shared;
    std::memcpy(block_.racy, block_.arena + now().shared_offset, sizeof(LocationId) * now().shared);
  }
  [[nodiscard]] std::uint64_t points_in_force(const Counters& next) const {
    return has_more_points() && now().shared != 0 ? now().shared_offset : next.points_offset;
  }

  // The tasks of the execution, which counts if others of its kind do.
  void count_coverage(Counters& next, Share share) {
    if (cover_ == nullptr) return;
    if (share == Share::kCounts) {
      cover_->count(is_defect(block_.result.outcome));
    } else {
      cover_->forget();
    }
    next.cover = cover_->tables().counts();
  }
  void forget_coverage(Counters& next) {
    if (cover_ == nullptr) return;
    cover_->tables().forget_runs();
    cover_->saturation().count_again();
    next.cover = cover_->tables().counts();
  }
  void look_for_saturation(Counters& next) {
    const Campaign& campaign = block_.campaign;
    if (cover_ == nullptr || campaign.saturation == 0 || next.ended != 0 || next.early_end != EarlyEnd::kNone) return;
    const StoppingRule rule = campaign.cover_adaptive != 0 ? StoppingRule::kShoulder : StoppingRule::kBound;
    if (!cover_->saturation().reached(campaign.coverage, rule, campaign.saturation)) return;
    cover_->tables().set_saturated();
    next.cover = cover_->tables().counts();
    next.early_end = EarlyEnd::kSaturated;
  }

  // Nothing new for long, or nothing that could be: every execution is cut.
  void look_for_the_end(Counters& next) const {
    constexpr std::uint64_t kCutInARow = 64;
    const std::uint64_t patience = block_.campaign.patience;
    if (patience == 0 || next.ended != 0) return;
    const std::uint64_t since = state_.counters.steps() + 1 - next.last_new;
    const bool enough = since >= patience && since >= 2 * next.last_new;
    if (enough && next.entered < CampaignState::kMaxDistinct) next.early_end = EarlyEnd::kNothingNew;
    if (next.executions >= kCutInARow && next.cut == next.executions) next.early_end = EarlyEnd::kAllCut;
  }

  enum class Waiting : std::uint8_t { kForWork, kWithAnExecution };

  // For others at the same search. False: the driver has had enough.
  template <class Ready>
  bool await(Ready&& ready, Waiting waiting) {
    for (std::uint32_t round = 0; !ready(); ++round) {
      if (stopped()) return false;
      // The watchdog is to see that somebody is there; the execution in hand is still to be counted.
      if (waiting == Waiting::kForWork) block_.result.steps.fetch_add(1, std::memory_order_relaxed);
      executor_.pause(round);
    }
    return true;
  }

  // Whether a sleep is over then depends on how many steps were made: no search by dependences can reason about that,
  // and a given plan says itself.
  void let_time_pass(PlanSpec& plan) const {
    const bool may = !state_.searches_tree && !state_.fixed_points && plan.record_steps == 0;
    if (may && plan.timeouts == TimeoutMode::kFair) plan.timeouts = TimeoutMode::kPassing;
  }

  // The first execution shows how long executions are.
  void limit_steps(PlanSpec& plan) const {
    if (block_.campaign.open_ms == 0) return;
    if (now().step_limit == 0) {
      plan.open_ended = 1;
    } else {
      plan.max_steps = now().step_limit;
    }
  }
  void learn_step_limit(Counters& next) const {
    if (next.step_limit != 0) return;
    const std::uint64_t length = block_.result.steps.load(std::memory_order_relaxed);
    const std::uint64_t least = block_.campaign.base.max_steps;
    const std::uint64_t wanted = ran_to_its_end(block_.result.outcome) ? kLengthsAllowed * length : length;
    next.step_limit = wanted > least ? wanted : least;
  }

  bool begin_attempt() {
    if (cover_ != nullptr) cover_->forget();
    const std::uint64_t number = state_.counters.steps() + 1;
    const bool killed = block_.control.worker_killed.exchange(0, std::memory_order_relaxed) != 0;
    state_.attempts = state_.attempted == number ? state_.attempts + (killed ? 0 : 1) : 1;
    state_.attempted = number;
    lasting_.points.rollback(now().points_known);
    lasting_.shared.rollback(now().shared_known);
    if (state_.attempts <= kMostAttempts) return true;
    ExecutionResult& result = block_.result;
    result.outcome = OutcomeKind::kKilled;
    result.segments = result.decisions = result.races = result.detections = result.waiting = result.pending =
        result.enabled = 0;
    result.callouts = 0;
    result.steps.store(0, std::memory_order_relaxed);
    analysis_.begin(Analysis::Depth::kFingerprint, -1);
    return false;
  }

  void execute(int export_fd) {
    if (lasting_.training != nullptr) {
      analysis_.set_training(lasting_.training, state_.counters.steps() < block_.campaign.training);
    }
    analysis_.begin(Analysis::Depth::kAll, export_fd);
    executor_.execute(analysis_);
    ExecutionResult& result = block_.result;
    result.fingerprint = analysis_.fingerprint();
    result.races = analysis_.races();
    classify(result);
    analysis_.finish();
    result.detections = analysis_.detections();
  }

  void execute_for_verification() {
    analysis_.begin(Analysis::Depth::kFingerprint, -1);
    compare_.begin(TraceCompare::Mode::kKeep);
    executor_.execute(analysis_);
    compare_.begin(TraceCompare::Mode::kCompare);
    classify(block_.result);
    verified_fingerprint_ = analysis_.fingerprint();
    verified_outcome_ = block_.result.outcome;
  }

  void classify(ExecutionResult& result) const {
    const bool expected = result.exit_status == block_.campaign.expect_exit;
    if (result.outcome == OutcomeKind::kCompleted && !expected) result.outcome = OutcomeKind::kExitCode;
    if (result.outcome == OutcomeKind::kExitCode && expected) result.outcome = OutcomeKind::kCompleted;
    if (result.segments > kMaxSegments) result.segments = kMaxSegments;
    if (result.waiting > kMaxWaiting) result.waiting = kMaxWaiting;
  }

  Counters& count_execution(Share share = Share::kCounts) {
    const ExecutionResult& result = block_.result;
    Counters& next = state_.counters.prepare();
    if (next.shortened == 0) next.shortened = result.shortened;
    if (share == Share::kOfAnotherProcess) return next;
    if (share == Share::kRedundant) {
      ++next.blocked;
      return next;
    }
    if (share == Share::kAbandoned) {
      ++next.abandoned;
      return next;
    }
    ++next.executions;
    next.steps += result.steps.load(std::memory_order_relaxed);
    next.decisions += result.decisions;
    next.choices += result.decisions != 0;
    next.callouts += result.callouts;
    next.blocked += !ran_to_its_end(result.outcome);
    next.cut += result.outcome == OutcomeKind::kCut && !stopped();
    learn_step_limit(next);
    if (result.max_live > next.max_threads) next.max_threads = result.max_live;
    for (std::size_t i = 0; i < kOperationKinds; ++i) next.operations[i] += analysis_.operations()[i];
    next.truncated |= analysis_.truncated();
    next.digest = mix64(next.digest ^ mix64(result.fingerprint + static_cast<std::uint64_t>(result.outcome)));
    return next;
  }

  [[nodiscard]] Execution execution(bool points_grew = false) const {
    const ExecutionResult& result = block_.result;
    const bool by_tasks = cover_ != nullptr && state_.by_metric != MetricId::kCount;
    const TaskNews news = by_tasks ? cover_->news(state_.by_metric) : TaskNews{};
    const std::uint32_t recorded = result.decisions < kMaxDecisions ? result.decisions : kMaxDecisions;
    return {result,
            std::span<const Segment>(block_.schedule, result.segments),
            std::span<const DecisionRecord>(block_.decisions, recorded),
            trace_of(block_),
            points_grew,
            std::span<const LocationId>(lasting_.points.begin(), lasting_.points.count()),
            !lasting_.fingerprints.contains(salted(result.fingerprint, now().restarts), now().table_capacity),
            news.fresh,
            news.set,
            outcome_key,
            race_key};
  }

  // The search was restarted by another process: its points are all of them, also those found in this execution.
  bool follow_others() {
    if (parts_.shared == nullptr) return false;
    const RestartByOthers restart = parts_.shared->restart_by_others();
    if (!restart.restarted) return false;
    lasting_.points.rollback(now().points_known);
    for (const LocationId location : restart.points) lasting_.points.on_location(location);
    return true;
  }

  // Everything after an execution: findings, points, strategy, counters; then the commit; then what follows from it.
  void conclude() {
    const ExecutionResult& result = block_.result;
    const bool followed = follow_others();
    const std::uint32_t known = lasting_.points.count();
    const bool doubtful = block_.isolation.restart_search.load(std::memory_order_relaxed) != 0;
    const bool restarted = state_.searches_tree && (doubtful || followed);
    const bool grew = !state_.fixed_points && known > now().points;
    const Share share = parts_.strategy->learn(execution(grew || doubtful || restarted));
    Counters& next = count_execution(share);
    count_coverage(next, share);
    next.points_known = known;
    if (block_.campaign.verify != 0 && state_.attempts <= kMostAttempts) {
      // Real time does not cut two runs at the same step.
      const bool comparable = result.outcome != OutcomeKind::kCut && verified_outcome_ != OutcomeKind::kCut;
      const bool differs =
          comparable && (result.fingerprint != verified_fingerprint_ || result.outcome != verified_outcome_);
      next.mismatches += differs;
      if (differs) compare_.report(block_.difference, next.executions - 1, verified_outcome_, result.outcome);
    }
    if (parts_.target != nullptr) {
      hand_over(next, parts_.target->handed_over());
    } else if (share != Share::kOfAnotherProcess) {
      add_findings(next);
    }
    if (share == Share::kCounts && block_.campaign.outcomes != 0) add_outcome(next);

    next.fingerprint = salted(result.fingerprint, next.restarts);
    next.fingerprint_is_new = share == Share::kCounts && next.entered < CampaignState::kMaxDistinct &&
                              !lasting_.fingerprints.contains(next.fingerprint, next.table_capacity);
    next.distinct += next.fingerprint_is_new;
    next.entered += next.fingerprint_is_new;
    next.table_capacity = lasting_.fingerprints.grow(next.entered, next.table_capacity);
    next.outcome = result.outcome;
    count_part(next, share);
    count_goal(next);
    const bool fatal =
        is_defect(result.outcome) && block_.campaign.keep_going == 0 && share != Share::kOfAnotherProcess;
    const bool arrived = reaches_goal() && block_.campaign.ends_at_goal != 0;
    if (fatal || arrived || result.outcome == OutcomeKind::kInternal || is_vacuous(next) || is_what_was_asked(share))
      next.ended = 1;
    if (grew) grow_points(next);
    if (grew || has_more_points()) grow_shared_points(next);
    look_for_the_end(next);
    look_for_saturation(next);
    // A campaign that ends here has explored what led to its end.
    if ((grew || restarted || parts_.strategy->began_again()) && state_.searches_tree && next.ended == 0) {
      reset_counts(next);
      forget_coverage(next);
    }
    check_hand_over(next);
    state_.counters.commit();
    block_.isolation.restart_search.store(0, std::memory_order_relaxed);
    derive();
    publish(block_, now(), state_.counters.steps());
    // As often as anybody could want to see it.
    if (now().executions < 64 || (now().executions & 63) == 0) {
      publish_operations(block_, now());
      publish_search(verdict_of(state_));
    }
  }

  void publish_search(const SearchVerdict& verdict) const {
    publish_estimate(block_, verdict);
    const ValueCounts* counts = parts_.strategy == nullptr ? nullptr : parts_.strategy->value_counts();
    if (counts != nullptr) block_.progress.values = *counts;
  }

  // The first execution that fits the campaign's sequence, and ends as it should.
  [[nodiscard]] bool is_what_was_asked(Share share) const {
    const ExecutionResult& result = block_.result;
    return share == Share::kCounts && result.sequence_fits != 0 &&
           ends_listing(block_.campaign.outcomes, result.outcome);
  }

  // Nothing was ever to be decided, and all executions were the same: so will the others be.
  [[nodiscard]] bool is_vacuous(const Counters& next) const {
    const Campaign& campaign = block_.campaign;
    return next.executions >= kAlikeExecutions && next.choices == 0 && next.distinct == 1 && next.findings == 0 &&
           !state_.fixed_points && campaign.base.faults == 0 && campaign.verify == 0 && campaign.training == 0;
  }

  // Before the state is handed over to whoever reads it next, be it another worker.
  void check_hand_over(const Counters& next) const {
    INVARIANT(next.findings >= now().findings && next.findings <= kMaxFindings,
              "findings are added, within their table");
    INVARIANT(next.outcomes <= kMaxOutcomes, "outcomes are within their table");
    INVARIANT(next.points_known >= now().points_known && next.points_known <= kMaxRacyLocations,
              "points never get lost");
    INVARIANT(next.points <= next.points_known && next.points >= now().points,
              "only points that are known are in force");
    INVARIANT(next.distinct <= next.executions, "an execution has one trace");
    INVARIANT(next.entered <= CampaignState::kMaxDistinct, "the table of fingerprints has room");
  }

  // What is new: a trace, a point, a finding.
  void count_part(Counters& next, Share share) const {
    const bool finds = next.findings > now().findings;
    if (next.fingerprint_is_new != 0 || finds || next.points_known > now().points_known ||
        lasting_.shared.count() > now().shared_known) {
      next.last_new = state_.counters.steps() + 1;
    }
    const unsigned part = parts_.strategy->part();
    if (share == Share::kOfAnotherProcess || part >= kMaxStrategyParts) return;
    ++next.parts[part].executions;
    next.parts[part].distinct += next.fingerprint_is_new;
    next.parts[part].findings += next.findings - now().findings;
  }

  [[nodiscard]] std::uint64_t sorted_copy(const LocationSet& set) {
    const std::uint32_t count = set.count();
    auto* sorted = static_cast<LocationId*>(state_.memory->try_allocate(sizeof(LocationId) * count));
    if (sorted == nullptr) return 0;
    std::memcpy(sorted, set.begin(), sizeof(LocationId) * count);
    sort_locations(sorted, count);
    return static_cast<std::uint64_t>(reinterpret_cast<unsigned char*>(sorted) - block_.arena);
  }

  void grow_shared_points(Counters& next) {
    for (std::uint32_t i = 0; i < next.points_known; ++i) lasting_.shared.on_location(lasting_.points.begin()[i]);
    next.shared_known = lasting_.shared.count();
    if (next.shared_known == next.shared) return;
    const std::uint64_t offset = sorted_copy(lasting_.shared);
    if (offset == 0) return;
    next.shared = next.shared_known;
    next.shared_offset = offset;
  }

  // At once: the next execution has them. Exhaustive searches start over, so that what they complete is a fixed point.
  void grow_points(Counters& next) {
    const std::uint64_t offset = sorted_copy(lasting_.points);
    if (offset == 0) {
      next.truncated = 1;
      return;
    }
    next.points = next.points_known;
    ++next.points_version;
    next.points_offset = offset;
  }

  // What was counted belongs to another tree.
  static void reset_counts(Counters& next) {
    ++next.restarts;
    next.executions = next.steps = next.decisions = next.distinct = next.blocked = next.cut = next.choices = 0;
    next.abandoned = 0;
    next.outcomes = 0;
    next.shortened = 0;
  }

  void add_findings(Counters& next) {
    const ExecutionResult& result = block_.result;
    Findings& findings = lasting_.findings;
    findings.begin(state_.counters.steps(), next.findings, points_in_force(next));
    if (is_defect(result.outcome)) {
      findings.add(block_, *state_.memory, outcome_key(result), result.outcome, FindingSource::kOutcome);
    }
    for (std::uint32_t i = 0; i < result.races; ++i) {
      findings.add(block_, *state_.memory, race_key(result.race_table[i]), OutcomeKind::kDataRace,
                   FindingSource::kRace);
    }
    for (std::uint32_t i = 0; i < result.detections; ++i) {
      const DetectionRecord& found = result.detection_table[i];
      findings.add(block_, *state_.memory, found.key, found.kind, FindingSource::kDetector);
    }
    if (reaches_goal()) {
      constexpr std::uint64_t kOnlyGoal = 1;
      findings.add(block_, *state_.memory, kOnlyGoal, result.outcome, FindingSource::kGoal);
    }
    next.findings = findings.count();
    next.dropped_findings += findings.dropped();
  }

  // The execution has observed the whole sequence of a guided search.
  [[nodiscard]] bool reaches_goal() const {
    if (goal_entries_ == 0 || !is_guided(block_.plan.policy.kind)) return false;
    return block_.result.guide.level >= goal_entries_;
  }
  // Choices behind the prefix: what a search sees for the first time. Of schedules by steps it is not known.
  [[nodiscard]] std::uint64_t fresh_decisions() const {
    if (block_.plan.prefix_kind != PrefixKind::kDecisions) return 0;
    std::uint64_t known = 0;
    for (std::uint32_t i = 0; i < block_.plan.prefix_segments; ++i) known += block_.prefix[i].count;
    return block_.result.decisions > known ? block_.result.decisions - known : 0;
  }
  void count_goal(Counters& next) const {
    if (!is_guided(block_.plan.policy.kind)) {
      next.goal_states += fresh_decisions();
      return;
    }
    const GuideProgress& guide = block_.result.guide;
    next.goal_states += guide.states;
    if (goal_entries_ == 0) return;
    const std::uint32_t level = guide.level < goal_entries_ ? guide.level : goal_entries_;
    if (level <= next.goal_level) return;
    next.goal_level = level;
    next.last_new = state_.counters.steps() + 1;
  }

  void hand_over(Counters& next, const HandedOver& handed) {
    Findings& findings = lasting_.findings;
    findings.begin(state_.counters.steps(), next.findings, 0);
    if (handed.this_one) {
      const bool race = handed.kind == OutcomeKind::kDataRace;
      findings.add(block_, *state_.memory, handed.key, handed.kind,
                   race ? FindingSource::kRace : FindingSource::kOutcome, handed.pair);
    }
    next.findings = findings.count();
  }

  void add_outcome(Counters& next) {
    Outcomes& outcomes = lasting_.outcomes;
    outcomes.add(block_, *state_.memory, state_.counters.steps(), next.outcomes, points_in_force(next));
    next.outcomes = outcomes.count();
    next.dropped_outcomes += outcomes.dropped();
  }

  // Written from the committed state only, so it can be done again.
  void derive() {
    const Counters& done = now();
    if (cover_ != nullptr) publish_coverage(block_, done);
    if (done.fingerprint_is_new != 0) lasting_.fingerprints.enter(done.fingerprint, done.table_capacity);
    if (done.points != 0) std::memcpy(block_.racy, block_.arena + done.points_offset, sizeof(LocationId) * done.points);
  }

  static std::uint64_t salted(std::uint64_t fingerprint, std::uint32_t restarts) {
    const std::uint64_t value = restarts == 0 ? fingerprint : hash_combine(fingerprint, restarts);
    return value == 0 ? 1 : value;
  }

  // Shell sort: small sets, no recursion, nothing to link.
  static void sort_locations(LocationId* list, std::uint32_t count) {
    for (std::uint32_t gap = count / 2; gap > 0; gap /= 2) {
      for (std::uint32_t i = gap; i < count; ++i) {
        const LocationId value = list[i];
        std::uint32_t j = i;
        for (; j >= gap && list[j - gap] > value; j -= gap) list[j] = list[j - gap];
        list[j] = value;
      }
    }
  }

  SharedBlock& block_;
  Executor& executor_;
  CampaignState& state_;
  const StrategyParts parts_;
  Lasting lasting_;
  Arena& scratch_;
  Analysis analysis_;
  TraceCompare compare_;
  CoverSet* cover_ = nullptr;     // the campaign's metrics
  std::size_t goal_entries_ = 0;  // of a guided search
  std::uint64_t verified_fingerprint_ = 0;
  OutcomeKind verified_outcome_ = OutcomeKind::kNotRun;
};

void refuse(SharedBlock& block, std::string_view why) {
  const std::size_t n = why.size() < kMessageBytes - 1 ? why.size() : kMessageBytes - 1;
  std::memcpy(block.control.error_text, why.data(), n);
  block.control.error_text[n] = 0;
  block.control.error = 1;
}

bool make_strategy_for(SharedBlock& block, CampaignState& state) {
  const Campaign& campaign = block.campaign;
  std::string_view text(campaign.strategy, strnlen(campaign.strategy, sizeof(campaign.strategy)));
  if (text.empty()) text = "portfolio";
  StrategyOptions options;
  options.seed = campaign.seed;
  options.shard_index = campaign.shard_index;
  options.shard_count = campaign.shard_count;
  options.schedule = {block.prefix, campaign.base.prefix_segments};
  options.target = campaign.target;
  if (auto* tree = reinterpret_cast<SharedTree*>(campaign.tree); tree != nullptr) {
    options.search = {tree->memory, &tree->header.left, campaign.tree_job};
  }
  options.facts = facts_in(reinterpret_cast<const FactsTableHeader*>(campaign.facts));
  options.visited = &block.visited;
  StrategyProblem problem;
  state.parts = open_strategy(text, *state.memory, options, problem);
  if (state.parts.strategy == nullptr) {
    refuse(block, problem.error.empty() ? "the strategy has no such parameters" : problem.error);
    return false;
  }
  const StrategyRow* row = find_strategy(text);
  state.searches_tree = row->searches_tree;
  state.follows_goal = row->follows_goal || !options.facts.guide.entries.empty();
  state.needs_target = row->needs_target;
  state.idle = row->jobs != Jobs::kParts && options.shard_index != 0;
  state.fixed_points = row->from_plan;
  state.by_metric = metric_of_strategy(text);
  return true;
}

CampaignState* open_state(SharedBlock& block) {
  auto* state = reinterpret_cast<CampaignState*>(block.arena);
  const void* code = &strategy_table()[0];
  if (state->magic == CampaignState::kMagic && state->code != code) {
    refuse(block, "the runtime is at another address than when the checkpoint was written: it cannot be resumed");
    return nullptr;
  }
  if (state->magic == CampaignState::kMagic) {
    if (block.campaign.resumed != 0) state->steps_before = state->counters.steps();
    block.campaign.resumed = 0;
    return state;
  }
  state = new (block.arena) CampaignState;
  state->code = code;
  state->memory = Arena::create(block.arena + kLastingBegin, kScratchBegin - kLastingBegin);
  if (block.campaign.mode == RunMode::kExplore && !make_strategy_for(block, *state)) return nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state->magic = CampaignState::kMagic;
  return state;
}

}  // namespace

void run_campaign(SharedBlock& block, Executor& executor) {
  INVARIANT(block.campaign.mode != RunMode::kDirect, "a direct run has no loop");
  CampaignState* state = open_state(block);
  if (state != nullptr) {
    CampaignLoop loop(block, executor, *state);
    loop.begin_with_facts();
    loop.recover();
    if (block.campaign.mode == RunMode::kReplay) {
      loop.replay();
    } else {
      loop.explore();
    }
  }
  block.progress.done.store(1, std::memory_order_release);
}

}  // namespace ravel
