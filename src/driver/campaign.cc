// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/campaign.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

#include "driver/curve.h"
#include "driver/execution_record.h"
#include "driver/interrupt.h"
#include "driver/watchdog.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

constexpr int kPollMilliseconds = 2;
constexpr std::chrono::milliseconds kListenEvery{200};

template <class T>
std::vector<T> copy_from_arena(const SharedBlock& block, std::uint64_t offset, std::uint64_t count,
                               std::uint64_t limit) {
  if (count > limit || offset > kArenaBytes || (kArenaBytes - offset) / sizeof(T) < count) return {};
  std::vector<T> out(count);
  if (count != 0) std::memcpy(out.data(), block.arena + offset, count * sizeof(T));
  return out;
}

// One session of the campaign, restarted once if its zygote dies.
class Shard {
 public:
  // `tree`: the descriptor of what all jobs search; -1: each has a part of its own.
  Shard(const CampaignOptions& options, std::uint32_t index, int tree)
      : options_(options), index_(index), tree_(tree) {}

  Result<void> start(Budget remaining) {
    CheckpointOptions checkpoint = options_.checkpoint;
    checkpoint.resume = checkpoint.resume && !restarted_;
    auto memory = open_block(checkpoint, options_.program.path, options_.strategy, index_, options_.jobs);
    if (!memory) return tl::make_unexpected(memory.error());
    session_ = Session::create(std::move(*memory));
    Campaign& campaign = session_->block().campaign;
    campaign.mode = RunMode::kExplore;
    campaign.keep_going = options_.keep_going ? 1 : 0;
    campaign.verify = options_.verify ? 1 : 0;
    campaign.outcomes = options_.outcomes ? 1 : 0;
    campaign.show_output = options_.program.pass_output ? 1 : 0;
    const std::uint32_t index = options_.shard_index * options_.jobs + index_;
    const std::uint32_t count = options_.shard_count * options_.jobs;
    campaign.shard_index = tree_ < 0 ? index : options_.shard_index;
    campaign.shard_count = tree_ < 0 ? count : options_.shard_count;
    campaign.tree_fd = tree_;
    campaign.tree_job = index_;
    if (tree_ >= 0) session_->inherit(tree_);
    campaign.expect_exit = options_.expect_exit;
    campaign.isolation = options_.isolation;
    campaign.detectors = options_.detectors;
    campaign.training = options_.training;
    std::strncpy(campaign.strategy, options_.strategy.c_str(), sizeof campaign.strategy - 1);
    campaign.seed = options_.seed;
    // At one tree what may still be run is counted there.
    const bool unlimited = remaining.iterations == 0 || tree_ >= 0;
    campaign.iterations = unlimited ? std::numeric_limits<std::uint64_t>::max() : remaining.share(index, count);
    campaign.hang_ms = options_.hang_ms;
    campaign.base = options_.base;
    if (options_.schedule.size() > kMaxSegments || options_.racy.size() > kMaxRacyLocations) {
      return usage_error("the schedule is too long", fmt::format("{} segments", options_.schedule.size()));
    }
    campaign.base.prefix_segments = static_cast<std::uint32_t>(options_.schedule.size());
    campaign.base.racy_locations = static_cast<std::uint32_t>(options_.racy.size());
    std::copy(options_.schedule.begin(), options_.schedule.end(), session_->block().prefix);
    std::copy(options_.racy.begin(), options_.racy.end(), session_->block().racy);
    watchdog_.emplace(Clock::now(), remaining, std::chrono::milliseconds(options_.hang_ms));
    return session_->start(options_.program);
  }

  // False when this shard is over.
  Result<bool> step(bool stop_now, Budget remaining) {
    if (over_) return false;
    const bool ended = session_->poll() == SessionState::kEnded;
    if (std::string problem = session_->start_problem(); !problem.empty()) {
      return cannot_test("the program could not be started under Ravel", options_.program.path, problem);
    }
    if (ended) return finish(remaining);
    session_->bound_capture();
    const SharedBlock& block = session_->block();
    const SessionFacts facts{false, session_->runtime_ready(),
                             block.progress.executions.load(std::memory_order_relaxed),
                             block.result.steps.load(std::memory_order_relaxed)};
    if (stop_now && !stopped_) {
      session_->request_stop();
      stopped_ = true;
    }
    switch (watchdog_->look(Clock::now(), facts, InterruptGuard::interrupted())) {
      case WatchdogAction::kNone:
        break;
      case WatchdogAction::kRequestStop:
        session_->request_stop();
        stopped_ = true;
        break;
      case WatchdogAction::kKillChild:
        session_->kill_child();
        trouble_ = "an execution without progress was killed";
        break;
      case WatchdogAction::kKillAll:
        if (!InterruptGuard::interrupted()) trouble_ = "the worker did not answer and was killed";
        session_->kill();
        stopped_ = true;
        break;
      case WatchdogAction::kNotReady:
        session_->kill();
        return cannot_test("the runtime did not take over within 10 s", options_.program.path,
                           "run `ravel doctor' on the program");
    }
    return true;
  }

  [[nodiscard]] bool has_ending_finding() const {
    for (const FoundSeed& seed : live_findings()) {
      if (seed.source == FindingSource::kOutcome) return true;
    }
    return false;
  }

  // What it was at in the common tree will never be finished.
  [[nodiscard]] bool left_others_alone() const {
    return tree_ >= 0 && over_ && !stopped_ && !session_->campaign_done();
  }

  void add_to(CampaignResult& sum) const {
    add_block(sum, session_->block());
    sum.limits.merge(earlier_limits_);
    sum.found.insert(sum.found.end(), earlier_.begin(), earlier_.end());
    sum.executions += earlier_executions_;
    sum.executions_by_job.push_back(session_->block().progress.executions.load(std::memory_order_relaxed) +
                                    earlier_executions_);
    if (!trouble_.empty()) sum.trouble = trouble_;
  }

  void add_to(CampaignSample& sample) const {
    const Progress& progress = session_->block().progress;
    sample.executions += progress.executions.load(std::memory_order_relaxed) + earlier_executions_;
    const std::uint64_t distinct = progress.distinct.load(std::memory_order_relaxed);
    sample.distinct_traces =
        tree_ >= 0 ? sample.distinct_traces + distinct : std::max(sample.distinct_traces, distinct);
    sample.found += std::min(progress.findings.load(std::memory_order_relaxed), kMaxFindings);
  }

  void collect_outcomes(std::vector<FoundOutcome>& out) const {
    const SharedBlock& block = session_->block();
    const std::uint32_t count = std::min(block.progress.outcomes.load(std::memory_order_acquire), kMaxOutcomes);
    for (std::uint32_t i = 0; i < count; ++i) {
      const OutcomeRecord& record = block.outcomes[i];
      if (record.kind >= OutcomeKind::kCount) continue;
      FoundOutcome found;
      found.kind = record.kind;
      found.count = record.seen & 0xffffffffu;
      for (const ObservationRecord& seen : copy_from_arena<ObservationRecord>(block, record.observations_offset,
                                                                              record.observations, kMaxObservations)) {
        found.observations.push_back({printable_line(text_of(seen.name)), printable_line(text_of(seen.value))});
      }
      found.plan = record.plan;
      found.schedule = copy_from_arena<Segment>(block, record.segments_offset, record.segments, kMaxSegments);
      found.racy =
          copy_from_arena<LocationId>(block, record.racy_offset, record.plan.racy_locations, kMaxRacyLocations);
      tame_plan(found.plan);
      out.push_back(std::move(found));
    }
  }

  void collect_findings(std::vector<FoundSeed>& out) const {
    for (FoundSeed& seed : live_findings()) out.push_back(std::move(seed));
  }

 private:
  Result<bool> finish(Budget remaining) {
    if (session_->campaign_done() || stopped_) {
      over_ = true;
      return false;
    }
    // The zygote died underneath us. Keep what it had found and begin again, once. What it knew of a common tree cannot
    // be had again.
    if (tree_ >= 0) {
      trouble_ = fmt::format("a zygote died (status {:#x}); the campaign ended early", session_->wait_status());
      over_ = true;
      return false;
    }
    if (restarted_) {
      trouble_ =
          fmt::format("the zygote died twice (last status {:#x}); the campaign ended early", session_->wait_status());
      over_ = true;
      return false;
    }
    restarted_ = true;
    trouble_ = fmt::format("the zygote died (status {:#x}) and was started again", session_->wait_status());
    earlier_ = live_findings();
    earlier_limits_.merge(read_limits(session_->block()));
    earlier_executions_ += session_->block().progress.executions.load(std::memory_order_relaxed);
    if (auto started = start(remaining); !started) return tl::make_unexpected(started.error());
    return true;
  }

  [[nodiscard]] std::vector<FoundSeed> live_findings() const {
    const SharedBlock& block = session_->block();
    const std::uint32_t count = std::min(block.progress.findings.load(std::memory_order_acquire), kMaxFindings);
    std::vector<FoundSeed> out;
    for (std::uint32_t i = 0; i < count; ++i) {
      const FindingSeed& seed = block.findings[i];
      if (!is_defect(seed.kind) || seed.source > FindingSource::kDetector) continue;
      FoundSeed found;
      found.key = seed.key;
      found.kind = seed.kind;
      found.source = seed.source;
      found.execution = seed.execution;
      found.shard = index_;
      found.times_seen = seed.times_seen;
      found.plan = seed.plan;
      found.schedule = copy_from_arena<Segment>(block, seed.segments_offset, seed.segments, kMaxSegments);
      found.racy = copy_from_arena<LocationId>(block, seed.racy_offset, seed.plan.racy_locations, kMaxRacyLocations);
      tame_plan(found.plan);
      out.push_back(std::move(found));
    }
    return out;
  }

  void add_block(CampaignResult& sum, const SharedBlock& block) const {
    const Progress& progress = block.progress;
    sum.executions += progress.executions.load(std::memory_order_relaxed);
    sum.steps += progress.steps.load(std::memory_order_relaxed);
    sum.decisions += progress.decisions.load(std::memory_order_relaxed);
    sum.trace_digest += progress.digest.load(std::memory_order_relaxed);
    const std::uint64_t distinct = progress.distinct.load(std::memory_order_relaxed);
    sum.distinct_traces = tree_ >= 0 ? sum.distinct_traces + distinct : std::max(sum.distinct_traces, distinct);
    sum.blocked += progress.blocked.load(std::memory_order_relaxed);
    sum.with_choice += progress.choices.load(std::memory_order_relaxed);
    sum.callouts += progress.callouts.load(std::memory_order_relaxed);
    sum.threads_max = std::max(sum.threads_max, progress.max_threads.load(std::memory_order_relaxed));
    sum.worker_restarts += progress.worker_restarts.load(std::memory_order_relaxed);
    sum.mismatches += progress.mismatches.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < sum.operations.size(); ++i) {
      sum.operations[i] += progress.operations[i].load(std::memory_order_relaxed);
    }
    sum.complete = sum.complete && progress.complete.load(std::memory_order_relaxed) != 0;
    sum.program_ended = sum.program_ended || block.control.program_ended != 0;
    if (block.control.program_ended != 0) {
      sum.exit_status = block.control.exit_status;
      sum.end_text = sum.exit_status == -1 ? printable_line(text_of(block.control.error_text))
                                           : fmt::format("it ended with status {}", sum.exit_status);
    }
    if (sum.explore_name.empty()) sum.explore_name = text_of(block.control.explore_name);
    sum.limits.merge(read_limits(block));
    sum.promise_kept = sum.promise_kept && progress.promise_kept.load(std::memory_order_relaxed) != 0;
    sum.notes |= block.control.notes.load(std::memory_order_relaxed);
    add_isolation(sum, block.isolation);
    add_search(sum, progress);
  }

  // Each shard searches its part: what all have covered is what the slowest has.
  void add_search(CampaignResult& sum, const Progress& progress) const {
    const std::uint32_t bounds = progress.bounds.load(std::memory_order_relaxed);
    if (sum.strategy_note.empty() || bounds < sum.bounds) sum.strategy_note = text_of(progress.strategy_note);
    sum.bounds = sum.shards == 0 ? bounds : std::min(sum.bounds, bounds);
    add_estimate(sum, progress);
    ++sum.shards;
  }

  void add_estimate(CampaignResult& sum, const Progress& progress) const {
    const std::uint64_t estimate = progress.estimate.load(std::memory_order_relaxed);
    const std::uint64_t low = progress.estimate_low.load(std::memory_order_relaxed);
    const std::uint64_t high = progress.estimate_high.load(std::memory_order_relaxed);
    if (tree_ >= 0) {
      // Each speaks of the whole tree, and knows nothing of what others have done in the branch they are at.
      if (estimate == 0 || (sum.estimate != 0 && sum.estimate <= estimate)) return;
      sum.estimate = estimate;
      sum.estimate_low = low;
      sum.estimate_high = high;
      return;
    }
    const bool unknown = estimate == 0 || (sum.shards != 0 && sum.estimate == 0);
    sum.estimate = unknown ? 0 : sum.estimate + estimate;
    sum.estimate_low += low;
    sum.estimate_high += high;
  }

  static void add_isolation(CampaignResult& sum, const IsolationState& state) {
    sum.isolation_verified += state.verified.load(std::memory_order_relaxed);
    sum.isolation_doubtful += state.doubtful.load(std::memory_order_relaxed);
    Isolation mode = state.mode.load(std::memory_order_relaxed);
    if (mode == Isolation::kAuto || mode > Isolation::kRepeat) return;
    std::string reason = text_of(state.reason);
    if (mode != Isolation::kFork && state.runs.load(std::memory_order_relaxed) == 0) {
      mode = Isolation::kFork;
      reason = "no execution inside the worker came to its end";
    }
    // What was allowed and what was done: too few executions to know their lines, and each was compared.
    if (mode == Isolation::kRepeat && state.repeats.load(std::memory_order_relaxed) == 0) mode = Isolation::kRollback;
    if (sum.isolation != Isolation::kAuto && sum.isolation <= mode) return;
    sum.isolation = mode;
    sum.isolation_reason = reason;
  }

  const CampaignOptions& options_;
  std::uint32_t index_;
  int tree_;
  std::unique_ptr<Session> session_;
  std::optional<Watchdog> watchdog_;
  std::vector<FoundSeed> earlier_;
  LimitsSeen earlier_limits_;
  std::uint64_t earlier_executions_ = 0;
  std::string trouble_;
  bool restarted_ = false;
  bool stopped_ = false;
  bool over_ = false;
};

CampaignSample sample_of(const std::vector<std::unique_ptr<Shard>>& shards, Clock::time_point start) {
  CampaignSample sample;
  for (const auto& shard : shards) shard->add_to(sample);
  sample.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return sample;
}

CampaignResult sum_of(const std::vector<std::unique_ptr<Shard>>& shards, Clock::time_point start) {
  CampaignResult sum;
  sum.complete = sum.promise_kept = true;
  for (const auto& shard : shards) shard->add_to(sum);
  // Jobs speak of how far all were some executions ago.
  if (sum.estimate != 0) {
    sum.estimate_low = std::max(sum.estimate_low, sum.executions);
    sum.estimate = std::max(sum.estimate, sum.estimate_low);
    sum.estimate_high = std::max(sum.estimate_high, sum.estimate);
  }
  sum.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return sum;
}

void merge_findings(const std::vector<std::unique_ptr<Shard>>& shards, CampaignResult& sum) {
  std::vector<FoundSeed> all = std::move(sum.found);
  sum.found.clear();
  for (const auto& shard : shards) shard->collect_findings(all);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.execution < b.execution; });
  for (FoundSeed& seed : all) {
    auto same = std::find_if(sum.found.begin(), sum.found.end(),
                             [&](const auto& f) { return f.key == seed.key && f.source == seed.source; });
    if (same == sum.found.end()) {
      sum.found.push_back(std::move(seed));
    } else {
      same->times_seen += seed.times_seen;
    }
  }
}

void merge_outcomes(const std::vector<std::unique_ptr<Shard>>& shards, CampaignResult& sum) {
  std::vector<FoundOutcome> all;
  for (const auto& shard : shards) shard->collect_outcomes(all);
  const auto order = [](const FoundOutcome& a, const FoundOutcome& b) {
    return std::tie(a.kind, a.observations) < std::tie(b.kind, b.observations);
  };
  std::stable_sort(all.begin(), all.end(), order);
  for (FoundOutcome& outcome : all) {
    if (!sum.outcomes.empty() && !order(sum.outcomes.back(), outcome)) {
      sum.outcomes.back().count += outcome.count;
    } else {
      sum.outcomes.push_back(std::move(outcome));
    }
  }
}

Result<CampaignResult> run_one(const CampaignOptions& options, const ProgressListener& listener) {
  const Clock::time_point start = Clock::now();
  std::optional<TreeMemory> tree;
  if (options.one_tree && options.jobs > 1) {
    const std::uint64_t limit = options.budget.iterations;
    auto memory = open_tree(options.checkpoint, limit == 0 ? std::numeric_limits<std::uint64_t>::max() : limit);
    if (!memory) return tl::make_unexpected(memory.error());
    tree.emplace(std::move(*memory));
  }
  std::vector<std::unique_ptr<Shard>> shards;
  for (std::uint32_t i = 0; i < options.jobs; ++i) {
    shards.push_back(std::make_unique<Shard>(options, i, tree ? tree->descriptor() : -1));
    if (auto started = shards.back()->start(options.budget); !started) return tl::make_unexpected(started.error());
  }
  Clock::time_point listened = start;
  Curve curve;
  for (bool running = true; running;) {
    ::poll(nullptr, 0, kPollMilliseconds);
    const Clock::time_point now = Clock::now();
    Budget remaining = options.budget;
    if (remaining.time.count() != 0) {
      const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(now - start);
      remaining.time = std::max(std::chrono::milliseconds(1), remaining.time - used);
    }
    const bool found = !options.keep_going && options.jobs > 1 &&
                       std::any_of(shards.begin(), shards.end(), [](const auto& s) { return s->has_ending_finding(); });
    const bool stop_now =
        found || std::any_of(shards.begin(), shards.end(), [](const auto& s) { return s->left_others_alone(); });
    running = false;
    for (const auto& shard : shards) {
      auto more = shard->step(stop_now, remaining);
      if (!more) return tl::make_unexpected(more.error());
      running = running || *more;
    }
    curve.offer(sample_of(shards, start));
    if (listener && now - listened >= kListenEvery) {
      listened = now;
      listener(sum_of(shards, start));
    }
  }
  CampaignResult result = sum_of(shards, start);
  merge_findings(shards, result);
  merge_outcomes(shards, result);
  result.curve = curve.finish({result.seconds, result.executions, result.distinct_traces, result.found.size()});
  result.interrupted = InterruptGuard::interrupted();
  return result;
}

void add_call(CampaignResult& sum, CampaignResult&& one, std::uint32_t call) {
  const CampaignSample before = sum.curve.empty() ? CampaignSample{} : sum.curve.back();
  for (const CampaignSample& sample : one.curve) {
    sum.curve.push_back({before.seconds + sample.seconds, before.executions + sample.executions,
                         before.distinct_traces + sample.distinct_traces, before.found + sample.found});
  }
  sum.calls.push_back({call, one.explore_name, one.executions, one.distinct_traces, one.complete, one.found.size()});
  sum.executions += one.executions;
  sum.executions_by_job.resize(one.executions_by_job.size());
  for (std::size_t i = 0; i < one.executions_by_job.size(); ++i) sum.executions_by_job[i] += one.executions_by_job[i];
  sum.steps += one.steps;
  sum.decisions += one.decisions;
  sum.trace_digest = sum.trace_digest * 31 + one.trace_digest;
  sum.distinct_traces += one.distinct_traces;
  sum.blocked += one.blocked;
  sum.with_choice += one.with_choice;
  sum.callouts += one.callouts;
  sum.threads_max = std::max(sum.threads_max, one.threads_max);
  sum.worker_restarts += one.worker_restarts;
  sum.mismatches += one.mismatches;
  sum.notes |= one.notes;
  for (std::size_t i = 0; i < sum.operations.size(); ++i) sum.operations[i] += one.operations[i];
  if (!one.strategy_note.empty()) sum.strategy_note = std::move(one.strategy_note);
  if (!one.trouble.empty()) sum.trouble = std::move(one.trouble);
  sum.complete = sum.complete && one.complete;
  sum.interrupted = one.interrupted;
  std::move(one.outcomes.begin(), one.outcomes.end(), std::back_inserter(sum.outcomes));
  std::move(one.found.begin(), one.found.end(), std::back_inserter(sum.found));
}

bool ends_campaign(const CampaignOptions& options, const CampaignResult& one) {
  const auto fails = [](const FoundSeed& seed) { return seed.kind != OutcomeKind::kDataRace; };
  return one.interrupted || (!options.keep_going && std::any_of(one.found.begin(), one.found.end(), fails));
}

// A process and a whole budget for each call. It skips the calls before, whose bodies leave no trace in it.
Result<CampaignResult> run_calls(const CampaignOptions& options, const ProgressListener& listener) {
  const Clock::time_point start = Clock::now();
  CampaignResult sum;
  sum.complete = true;
  for (std::uint32_t call = 1;; ++call) {
    CampaignOptions one = options;
    one.base.explore_call = call;
    if (!one.checkpoint.path.empty()) {
      one.checkpoint.path += fmt::format(".call{}", call);
      one.checkpoint.resume = one.checkpoint.resume && access(one.checkpoint.path.c_str(), F_OK) == 0;
    }
    auto result = run_one(one, listener);
    if (!result) return result;
    if (result->program_ended) {
      if (call == 1) return run_one(options, listener);
      if (result->exit_status != options.expect_exit) {
        return cannot_test("the program failed outside of explore()", options.program.path, result->end_text);
      }
      break;
    }
    const bool last = ends_campaign(options, *result);
    add_call(sum, std::move(*result), call);
    if (last) break;
  }
  sum.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return sum;
}

}  // namespace

Result<CampaignResult> run_campaign(const CampaignOptions& options, const ProgressListener& listener) {
  const InterruptGuard guard;
  return options.explore_calls ? run_calls(options, listener) : run_one(options, listener);
}

}  // namespace ravel
