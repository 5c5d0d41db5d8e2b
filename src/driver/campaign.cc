// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/campaign.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

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
  Shard(const CampaignOptions& options, std::uint32_t index) : options_(options), index_(index) {}

  Result<void> start(Budget remaining) {
    auto session = Session::create();
    if (!session) return tl::make_unexpected(session.error());
    session_ = std::move(*session);
    Campaign& campaign = session_->block().campaign;
    campaign.mode = RunMode::kExplore;
    campaign.keep_going = options_.keep_going ? 1 : 0;
    campaign.verify = options_.verify ? 1 : 0;
    campaign.show_output = options_.program.pass_output ? 1 : 0;
    const std::uint32_t index = options_.shard_index * options_.jobs + index_;
    const std::uint32_t count = options_.shard_count * options_.jobs;
    campaign.shard_index = index;
    campaign.shard_count = count;
    campaign.expect_exit = options_.expect_exit;
    campaign.isolation = options_.isolation;
    campaign.detectors = options_.detectors;
    std::strncpy(campaign.strategy, options_.strategy.c_str(), sizeof campaign.strategy - 1);
    campaign.seed = options_.seed;
    campaign.iterations =
        remaining.iterations == 0 ? std::numeric_limits<std::uint64_t>::max() : remaining.share(index, count);
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
        trouble_ = "an execution that did not move was killed";
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

  void add_to(CampaignResult& sum) const {
    add_block(sum, session_->block());
    sum.limits.merge(earlier_limits_);
    sum.found.insert(sum.found.end(), earlier_.begin(), earlier_.end());
    sum.executions += earlier_executions_;
    if (!trouble_.empty()) sum.trouble = trouble_;
  }

  void add_to(CampaignSample& sample) const {
    const Progress& progress = session_->block().progress;
    sample.executions += progress.executions.load(std::memory_order_relaxed) + earlier_executions_;
    sample.distinct_traces = std::max(sample.distinct_traces, progress.distinct.load(std::memory_order_relaxed));
    sample.found += std::min(progress.findings.load(std::memory_order_relaxed), kMaxFindings);
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
    // The zygote died underneath us. Keep what it had found and begin again, once.
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

  static void add_block(CampaignResult& sum, const SharedBlock& block) {
    const Progress& progress = block.progress;
    sum.executions += progress.executions.load(std::memory_order_relaxed);
    sum.steps += progress.steps.load(std::memory_order_relaxed);
    sum.decisions += progress.decisions.load(std::memory_order_relaxed);
    sum.trace_digest += progress.digest.load(std::memory_order_relaxed);
    sum.distinct_traces = std::max(sum.distinct_traces, progress.distinct.load(std::memory_order_relaxed));
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
    if (sum.strategy_note.empty()) sum.strategy_note = text_of(progress.strategy_note);
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

Result<CampaignResult> run_one(const CampaignOptions& options, const ProgressListener& listener) {
  const Clock::time_point start = Clock::now();
  std::vector<std::unique_ptr<Shard>> shards;
  for (std::uint32_t i = 0; i < options.jobs; ++i) {
    shards.push_back(std::make_unique<Shard>(options, i));
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
    const bool stop_now =
        !options.keep_going && options.jobs > 1 &&
        std::any_of(shards.begin(), shards.end(), [](const auto& s) { return s->has_ending_finding(); });
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
