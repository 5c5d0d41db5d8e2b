// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/invariant.h"
#include "driver/campaign_fields.h"
#include "driver/interrupt.h"

namespace ravel {
namespace {

// An execution without a limit of steps must leave time for others.
std::uint64_t open_ms(Budget budget) {
  constexpr std::uint64_t kMost = 10'000;
  const auto all = static_cast<std::uint64_t>(budget.time.count());
  return all == 0 ? kMost : std::clamp<std::uint64_t>(all / 4, 1, kMost);
}

}  // namespace

void Job::fill(Campaign& campaign, Budget remaining) {
  campaign.mode = RunMode::kExplore;
  campaign.keep_going = options_.keep_going ? 1 : 0;
  campaign.ends_at_goal = options_.ends_at_goal ? 1 : 0;
  campaign.verify = options_.verify ? 1 : 0;
  campaign.outcomes = options_.outcomes;
  campaign.show_output = options_.program.pass_output ? 1 : 0;
  const std::uint32_t index = options_.shard_index * options_.jobs + index_;
  const std::uint32_t count = options_.shard_count * options_.jobs;
  campaign.shard_index = tree_ < 0 ? index : options_.shard_index;
  campaign.shard_count = tree_ < 0 ? count : options_.shard_count;
  campaign.tree_fd = tree_;
  campaign.tree_job = index_;
  campaign.facts_fd = options_.facts ? options_.facts->descriptor() : -1;
  campaign.facts_bytes = options_.facts ? options_.facts->bytes() : 0;
  campaign.expect_exit = options_.expect_exit;
  campaign.isolation = options_.isolation;
  campaign.detectors = options_.detectors;
  campaign.training = options_.training;
  request_coverage(options_.coverage, campaign);
  campaign.target = options_.target;
  std::strncpy(campaign.strategy, options_.strategy.c_str(), sizeof campaign.strategy - 1);
  campaign.seed = options_.seed;
  // At one tree what may still be run is counted there.
  const bool unlimited = remaining.iterations == 0 || tree_ >= 0;
  campaign.iterations = unlimited ? std::numeric_limits<std::uint64_t>::max() : remaining.share(index, count);
  if (campaign.iterations == 0) {  // fewer executions than jobs: none for this one
    session_->request_stop();
    stopped_ = true;
  }
  campaign.patience = options_.patience;
  campaign.hang_ms = options_.hang_ms;
  campaign.busy_ms = options_.busy_ms;
  campaign.open_ms = options_.open_first ? open_ms(remaining) : 0;
  campaign.base = options_.base;
  campaign.base.prefix_segments = static_cast<std::uint32_t>(options_.schedule.size());
  campaign.base.racy_locations = static_cast<std::uint32_t>(options_.racy.size());
}

Result<void> Job::start(Budget remaining) {
  if (options_.schedule.size() > kMaxSegments || options_.racy.size() > kMaxRacyLocations) {
    return usage_error("the schedule is too long", fmt::format("{} segments", options_.schedule.size()));
  }
  CheckpointOptions checkpoint = options_.checkpoint;
  checkpoint.resume = checkpoint.resume && !earlier_;
  auto memory = open_block(checkpoint, options_.program.path, options_.strategy, index_, options_.jobs);
  if (!memory) return tl::make_unexpected(memory.error());
  session_ = Session::create(std::move(*memory));
  if (tree_ >= 0) session_->inherit(tree_);
  if (options_.facts) session_->inherit(options_.facts->descriptor());
  SharedBlock& block = session_->block();
  fill(block.campaign, remaining);
  session_->set_coverage_code(options_.coverage.system_code, options_.coverage.jobs);
  if (auto written = write_sequence(block, block.campaign.base, options_.sequence); !written) return written;
  std::copy(options_.schedule.begin(), options_.schedule.end(), block.prefix);
  std::copy(options_.racy.begin(), options_.racy.end(), block.racy);
  looked_ = Clock::now();
  watchdog_.emplace(looked_, remaining, std::chrono::milliseconds(options_.hang_ms), options_.deadline);
  return session_->start(options_.program);
}

Result<bool> Job::advance(bool stop_now, Budget remaining) {
  if (over_) return false;
  INVARIANT(session_ != nullptr && watchdog_, "a job is started before it is looked at");
  const bool ended = session_->poll() == SessionState::kEnded;
  if (ended && stopped_ && !session_->runtime_ready()) return !(over_ = true);  // we ended it
  if (std::string problem = session_->start_problem(); !problem.empty()) {
    return cannot_test("the program could not be started under Ravel", options_.program.path, problem);
  }
  if (ended) return finish(remaining);
  session_->bound_capture();
  const SharedBlock& block = session_->block();
  const SessionFacts facts{false, session_->runtime_ready(), block.progress.executions.load(std::memory_order_relaxed),
                           session_->movement()};
  if (stop_now && !stopped_) {
    session_->request_stop();
    stopped_ = true;
  }
  const Clock::time_point now = Clock::now();
  if (now - looked_ > kStoppedAfter) watchdog_->forgive(now - looked_);
  looked_ = now;
  check_disk();
  switch (watchdog_->look(now, facts, InterruptGuard::interrupted())) {
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
      if (!InterruptGuard::interrupted() && !stopped_) trouble_ = "the worker did not answer and was killed";
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

// A disk that fills up ends the campaign while there is room to end it.
void Job::check_disk() {
  const std::string& path = options_.checkpoint.path;
  if (path.empty() || stopped_ || free_bytes(path) >= kLeastFreeToGoOn) return;
  session_->request_stop();
  stopped_ = true;
  trouble_ = "the disk of the checkpoint is nearly full: the campaign ended early and can be resumed";
}

// An error after something was found ends the job, not the campaign: what was found is reported.
Result<bool> Job::step(bool stop_now, Budget remaining) {
  auto more = advance(stop_now, remaining);
  if (more || everything().found.empty()) return more;
  trouble_ = more.error().line();
  over_ = stopped_ = true;
  return false;
}

bool Job::has_ending_finding() const {
  const std::vector<FoundSeed> found = findings_in(session_->block(), index_);
  return std::any_of(found.begin(), found.end(),
                     [](const FoundSeed& seed) { return seed.source == FindingSource::kOutcome; });
}

bool Job::found_hang() const {
  if (session_->block().progress.findings.load(std::memory_order_relaxed) == 0) return false;
  const std::vector<FoundSeed> found = findings_in(session_->block(), index_);
  return std::any_of(found.begin(), found.end(), [](const FoundSeed& seed) { return seed.kind == OutcomeKind::kHang; });
}

CampaignResult Job::with_earlier(CampaignResult result) const {
  if (earlier_) {
    CampaignResult all = *earlier_;
    add_result<Adding::kLives>(all, result);
    result = std::move(all);
  }
  if (!trouble_.empty()) result.trouble = trouble_;
  return result;
}

CampaignResult Job::numbers() const {
  return with_earlier(result_of(session_->block()));
}

CampaignResult Job::everything() const {
  const SharedBlock& block = session_->block();
  CampaignResult result = result_of(block);
  result.found = findings_in(block, index_);
  result.outcomes = outcomes_in(block);
  result.coverage = coverage_in(block);
  return with_earlier(std::move(result));
}

void Job::add_to(CampaignSample& sample) const {
  const Progress& progress = session_->block().progress;
  sample.executions +=
      progress.executions.load(std::memory_order_relaxed) + (earlier_ ? earlier_->executions : std::uint64_t{0});
  const std::uint64_t distinct = progress.distinct.load(std::memory_order_relaxed);
  sample.distinct_traces = tree_ >= 0 ? sample.distinct_traces + distinct : std::max(sample.distinct_traces, distinct);
  sample.found += std::min(progress.findings.load(std::memory_order_relaxed), kMaxFindings);
}

Result<bool> Job::finish(Budget remaining) {
  if (session_->campaign_done() || stopped_) {
    over_ = true;
    return false;
  }
  // The zygote died. Keep what it had found and begin again, once. What it knew of a common tree is lost.
  if (tree_ >= 0) {
    trouble_ = fmt::format("a zygote died (status {:#x}); the campaign ended early", session_->wait_status());
    over_ = true;
    return false;
  }
  if (earlier_) {
    trouble_ =
        fmt::format("the zygote died twice (last status {:#x}); the campaign ended early", session_->wait_status());
    over_ = true;
    return false;
  }
  trouble_ = fmt::format("the zygote died (status {:#x}) and was started again", session_->wait_status());
  earlier_ = everything();
  if (auto started = start(remaining); !started) return tl::make_unexpected(started.error());
  return true;
}

}  // namespace ravel
