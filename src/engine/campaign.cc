// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The loop of a campaign: a plan, its execution, what follows from it. See campaign.h.
#include "engine/campaign.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstring>

#include "base/hash.h"
#include "base/invariant.h"
#include "engine/analysis.h"
#include "engine/campaign_state.h"
#include "engine/coverage.h"
#include "engine/ending.h"
#include "engine/goal_count.h"
#include "engine/open_campaign.h"
#include "engine/point_sets.h"
#include "engine/progress.h"
#include "explore/sampling.h"
#include "wire/facts_table.h"
#include "wire/shared_block.h"
#include "wire/trace_of.h"

namespace ravel {
namespace {

constexpr std::uint64_t kLengthsAllowed = 8;  // an execution may be so many times as long as the first
constexpr std::uint32_t kMostAttempts = 3;    // an execution that kills the worker each time is given up

// Places of the sequence that a guided search follows; 0: it follows none.
std::size_t goal_entries(const SharedBlock& block, const CampaignState& state) {
  if (!state.follows_goal && !state.needs_target) return 0;
  return facts_in(reinterpret_cast<const FactsTableHeader*>(block.campaign.facts)).guide.entries.size();
}

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
        compare_(scratch_, block.campaign.verify != 0 || block.campaign.repeat > 1),
        goal_(block, goal_entries(block, state)),
        points_(block, state, lasting_) {
    analysis_.set_compare(&compare_);
    // A search of a tree hardly ever runs into the same trace again.
    analysis_.skip_known_traces(parts_.strategy != nullptr && !state.searches_tree && !state.fixed_points);
    if (parts_.watcher != nullptr) analysis_.add_observer(*parts_.watcher);
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
      if (points_.has_more()) points_.take_shared(block_.plan);
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

  void begin_with_facts() { points_.begin_with_facts(); }

  // What a killed worker may have left undone.
  void recover() {
    if (parts_.strategy != nullptr) parts_.strategy->recover(state_.counters.steps());
    if (block_.campaign.mode == RunMode::kExplore) derive();
    publish(block_, now(), state_.counters.steps());
    for (unsigned part = 0; part < kMaxStrategyParts; ++part) publish_part(block_, now(), part);
  }

 private:
  [[nodiscard]] const Counters& now() const { return state_.counters.current(); }
  [[nodiscard]] bool stopped() const { return block_.control.stop.load(std::memory_order_relaxed) != 0; }
  [[nodiscard]] bool over() const {
    const std::uint64_t limit = block_.campaign.iterations;
    return stopped() || now().ended != 0 || now().early_end != EarlyEnd::kNone ||
           (limit != 0 && state_.counters.steps() - state_.steps_before >= limit);
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
    analysis_.operations().add_to(next.operations);
    next.truncated |= analysis_.truncated();
    next.digest = mix64(next.digest ^ mix64(result.fingerprint + static_cast<std::uint64_t>(result.outcome)));
    return next;
  }

  [[nodiscard]] bool is_known_trace() const {
    return lasting_.traces.knows(now().traces, block_.result.fingerprint, now().restarts);
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
            !is_known_trace(),
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

  // What --verify found: the plan was run twice.
  void count_difference(Counters& next) {
    if (block_.campaign.verify == 0 || state_.attempts > kMostAttempts) return;
    const ExecutionResult& result = block_.result;
    // Real time does not cut two runs at the same step.
    const bool comparable = result.outcome != OutcomeKind::kCut && verified_outcome_ != OutcomeKind::kCut;
    const bool differs =
        comparable && (result.fingerprint != verified_fingerprint_ || result.outcome != verified_outcome_);
    next.mismatches += differs;
    if (differs) compare_.report(block_.difference, next.executions - 1, verified_outcome_, result.outcome);
  }
  void count_distinct(Counters& next, Share share, bool known) {
    lasting_.traces.count(next.traces, block_.result.fingerprint, next.restarts, share == Share::kCounts, known);
    // A trace that is known has a sequence that is.
    const std::uint64_t sequence = analysis_.sequence();
    lasting_.sequences.count(next.sequences, sequence, next.restarts, share == Share::kCounts && sequence != 0);
  }

  // Everything after an execution: findings, points, strategy, counters; then the commit; then what follows from it.
  void conclude() {
    const ExecutionResult& result = block_.result;
    const bool followed = follow_others();
    const std::uint32_t known = lasting_.points.count();
    const bool doubtful = block_.isolation.restart_search.load(std::memory_order_relaxed) != 0;
    const bool restarted = state_.searches_tree && (doubtful || followed);
    const bool grew = !state_.fixed_points && known > now().points;
    const Execution done = execution(grew || doubtful || restarted);
    const Share share = parts_.strategy->learn(done);
    Counters& next = count_execution(share);
    count_coverage(next, share);
    next.points_known = known;
    count_difference(next);
    if (parts_.target != nullptr) {
      hand_over(next, parts_.target->handed_over());
    } else if (share != Share::kOfAnotherProcess) {
      add_findings(next);
    }
    if (share == Share::kCounts && block_.campaign.outcomes != 0) add_outcome(next);
    count_distinct(next, share, !done.trace_is_new);
    next.outcome = result.outcome;
    count_part(next, share);
    goal_.count(next, state_.counters.steps() + 1);
    const bool fatal =
        is_defect(result.outcome) && block_.campaign.keep_going == 0 && share != Share::kOfAnotherProcess;
    const bool arrived = goal_.reached() && block_.campaign.ends_at_goal != 0;
    if (fatal || arrived || result.outcome == OutcomeKind::kInternal || is_vacuous(next, state_, block_.campaign) ||
        is_what_was_asked(block_, share))
      next.ended = 1;
    if (grew) points_.grow(next);
    if (grew || points_.has_more()) points_.grow_shared(next);
    look_for_the_end(next, block_.campaign, state_.counters.steps() + 1);
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
    publish_part(block_, now(), parts_.strategy->part());
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

  // Before the state is handed over to whoever reads it next, be it another worker.
  void check_hand_over(const Counters& next) const {
    INVARIANT(next.findings >= now().findings && next.findings <= kMaxFindings,
              "findings are added, within their table");
    INVARIANT(next.outcomes <= kMaxOutcomes, "outcomes are within their table");
    INVARIANT(next.points_known >= now().points_known && next.points_known <= kMaxRacyLocations,
              "points never get lost");
    INVARIANT(next.points <= next.points_known && next.points >= now().points,
              "only points that are known are in force");
    INVARIANT(next.traces.distinct <= next.executions, "an execution has one trace");
    INVARIANT(next.traces.entered <= CampaignState::kMaxDistinct, "the table of fingerprints has room");
  }

  // What is new: a trace, a point, a finding.
  void count_part(Counters& next, Share share) const {
    const bool finds = next.findings > now().findings;
    if (next.traces.is_new != 0 || finds || next.points_known > now().points_known ||
        lasting_.shared.count() > now().shared_known) {
      next.last_new = state_.counters.steps() + 1;
    }
    const unsigned part = parts_.strategy->part();
    if (share == Share::kOfAnotherProcess || part >= kMaxStrategyParts) return;
    ++next.parts[part].executions;
    next.parts[part].distinct += next.traces.is_new;
    next.parts[part].findings += next.findings - now().findings;
  }

  // What was counted belongs to another tree.
  static void reset_counts(Counters& next) {
    ++next.restarts;
    next.executions = next.steps = next.decisions = next.blocked = next.cut = next.choices = 0;
    next.abandoned = 0;
    next.traces.distinct = next.sequences.distinct = 0;
    next.outcomes = 0;
    next.shortened = 0;
  }

  void add_findings(Counters& next) {
    const ExecutionResult& result = block_.result;
    Findings& findings = lasting_.findings;
    findings.begin(state_.counters.steps(), next.findings, points_.in_force(next));
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
    if (goal_.reached()) {
      constexpr std::uint64_t kOnlyGoal = 1;
      findings.add(block_, *state_.memory, kOnlyGoal, result.outcome, FindingSource::kGoal);
    }
    next.findings = findings.count();
    next.dropped_findings += findings.dropped();
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
    const bool by_sequence = block_.campaign.outcomes == kListSequences;
    if (by_sequence && analysis_.is_known()) return;  // and so is its sequence
    outcomes.add(block_, *state_.memory, state_.counters.steps(), next.outcomes, points_.in_force(next),
                 by_sequence ? analysis_.sequence() : 0);
    next.outcomes = outcomes.count();
    next.dropped_outcomes += outcomes.dropped();
  }

  // Written from the committed state only, so it can be done again.
  void derive() {
    const Counters& done = now();
    if (cover_ != nullptr) publish_coverage(block_, done);
    lasting_.traces.enter_last(done.traces);
    lasting_.sequences.enter_last(done.sequences);
    if (done.points != 0) std::memcpy(block_.racy, block_.arena + done.points_offset, sizeof(LocationId) * done.points);
  }

  SharedBlock& block_;
  Executor& executor_;
  CampaignState& state_;
  const StrategyParts parts_;
  Lasting lasting_;
  Arena& scratch_;
  Analysis analysis_;
  TraceCompare compare_;
  CoverSet* cover_ = nullptr;  // the campaign's metrics
  GoalCount goal_;
  PointSets points_;
  std::uint64_t verified_fingerprint_ = 0;
  OutcomeKind verified_outcome_ = OutcomeKind::kNotRun;
};

}  // namespace

void run_campaign(SharedBlock& block, Executor& executor) {
  INVARIANT(block.campaign.mode != RunMode::kDirect, "a direct run has no loop");
  CampaignState* state = open_campaign(block);
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
