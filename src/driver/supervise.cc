// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/supervise.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "driver/curve.h"
#include "driver/end_watch.h"
#include "driver/interrupt.h"
#include "driver/job.h"
#include "driver/merge_results.h"

namespace ravel {
namespace {

constexpr std::chrono::milliseconds kListenEvery{200};

using Jobs = std::vector<std::unique_ptr<Job>>;
enum class Lists { kWithout, kWith };  // findings and outcomes, which are long

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

CampaignSample sample_of(const Jobs& jobs, Clock::time_point start) {
  CampaignSample sample;
  for (const auto& job : jobs) job->add_to(sample);
  sample.seconds = seconds_since(start);
  return sample;
}

void wait_for_any(const Jobs& jobs, Clock::duration elapsed) {
  std::vector<int> ends;
  for (const auto& job : jobs) ends.push_back(job->end_descriptor());
  wait_for_end(ends, pause_after(elapsed));
}

CampaignResult sum_of(const Jobs& jobs, Clock::time_point start, bool one_tree, Lists lists) {
  std::vector<CampaignResult> parts;
  for (const auto& job : jobs) parts.push_back(lists == Lists::kWith ? job->everything() : job->numbers());
  CampaignResult sum = merge_jobs(parts, one_tree);
  sum.seconds = seconds_since(start);
  return sum;
}

bool somebody_is_complete(const Jobs& jobs) {
  return std::any_of(jobs.begin(), jobs.end(), [](const auto& job) { return job->numbers().complete; });
}

CampaignResult everything_of(const Jobs& jobs, Clock::time_point start, bool one_tree, Curve& curve) {
  CampaignResult result = sum_of(jobs, start, one_tree, Lists::kWith);
  result.found = one_per_key(std::move(result.found));
  result.outcomes = one_per_combination(std::move(result.outcomes));
  result.curve = curve.finish({result.seconds, result.executions, result.distinct_traces, result.found.size()});
  return result;
}

Budget left_of(Budget budget, Clock::duration used) {
  if (budget.time.count() == 0) return budget;
  const auto time = budget.time - std::chrono::duration_cast<std::chrono::milliseconds>(used);
  budget.time = std::max(std::chrono::milliseconds(1), time);
  return budget;
}

// A hang is confirmed by another one, which takes as long, and so may the execution in hand.
bool must_leave_time(const CampaignOptions& options, const Jobs& jobs, Clock::duration used) {
  if (options.budget.time.count() == 0) return false;
  const auto needed = std::chrono::milliseconds(options.hang_ms * 9 / 4);
  return used > options.budget.time - needed &&
         std::any_of(jobs.begin(), jobs.end(), [](const auto& job) { return job->found_hang(); });
}

std::uint64_t limit_of(const Budget& budget) {
  return budget.iterations == 0 ? std::numeric_limits<std::uint64_t>::max() : budget.iterations;
}

// The worker counts to its limit in memory that the program may have overwritten: far beyond the limit it is stopped.
bool ran_past_limit(const CampaignOptions& options, std::uint64_t at_start, std::uint64_t now) {
  constexpr std::uint64_t kSlack = 1000;  // of restarts and confirming runs
  const std::uint64_t limit = options.budget.iterations;
  return limit != 0 && now > at_start && (now - at_start) / 2 > limit + kSlack;
}

// A search that was resumed and of which no job finishes an execution is one whose file was damaged: jobs may wait for
// work that nobody has.
class ResumeCheck {
 public:
  ResumeCheck(const CampaignOptions& options, std::uint64_t executions)
      : waiting_(options.checkpoint.resume),
        at_start_(executions),
        patience_(std::chrono::milliseconds(options.hang_ms) + kPatienceWithResumed) {}

  [[nodiscard]] bool is_stuck(Clock::time_point now, std::uint64_t executions) {
    if (now - looked_ > kStoppedAfter) begun_ += now - looked_;
    looked_ = now;
    waiting_ = waiting_ && executions == at_start_;
    return waiting_ && now - begun_ > patience_;
  }

 private:
  static constexpr std::chrono::seconds kPatienceWithResumed{10};

  bool waiting_;
  std::uint64_t at_start_;
  Clock::duration patience_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point looked_ = begun_;
};

Result<CampaignResult> run_one(const CampaignOptions& options, const ProgressListener& listener) {
  const Clock::time_point start = Clock::now();
  std::optional<TreeMemory> tree;
  if (options.one_tree && options.jobs > 1) {
    auto memory = open_tree(options.checkpoint, limit_of(options.budget));
    if (!memory) return tl::make_unexpected(memory.error());
    tree.emplace(std::move(*memory));
  }
  Jobs jobs;
  for (std::uint32_t i = 0; i < options.jobs; ++i) {
    jobs.push_back(std::make_unique<Job>(options, i, tree ? tree->descriptor() : -1));
    if (auto started = jobs.back()->start(options.budget); !started) return tl::make_unexpected(started.error());
  }
  Clock::time_point listened = start;
  Clock::time_point looked = start;
  const std::uint64_t at_start = sample_of(jobs, start).executions;
  ResumeCheck resumed(options, at_start);
  std::string stuck;
  Curve curve;
  for (bool running = true; running;) {
    wait_for_any(jobs, Clock::now() - start);
    const Clock::time_point now = Clock::now();
    if (now - looked > kStoppedAfter) g_paused += now - looked;
    looked = now;
    const Budget remaining = left_of(options.budget, now - start);
    const bool found = !options.keep_going && options.jobs > 1 &&
                       std::any_of(jobs.begin(), jobs.end(), [](const auto& s) { return s->has_ending_finding(); });
    const bool covered = options.one_covers_all && options.jobs > 1 && somebody_is_complete(jobs);
    const bool overrun = ran_past_limit(options, at_start, sample_of(jobs, start).executions);
    const bool stop_now = found || covered || overrun || must_leave_time(options, jobs, now - start) ||
                          std::any_of(jobs.begin(), jobs.end(), [](const auto& s) { return s->died_holding_branch(); });
    running = false;
    for (const auto& job : jobs) {
      auto more = job->step(stop_now, remaining);
      if (!more) return tl::make_unexpected(more.error());
      running = running || *more;
    }
    const CampaignSample sample = sample_of(jobs, start);
    curve.offer(sample);
    if (running && resumed.is_stuck(now, sample.executions)) {
      const Error error{ErrorKind::kUsage, "the checkpoint cannot be resumed", options.checkpoint.path,
                        "no execution came to its end: the file may be damaged; begin again with --checkpoint"};
      if (sample.found == 0) return tl::make_unexpected(error);
      stuck = error.line();  // what it had found is reported
      break;
    }
    if (listener && now - listened >= kListenEvery) {
      listened = now;
      listener(sum_of(jobs, start, tree.has_value(), Lists::kWithout));
    }
  }
  CampaignResult result = everything_of(jobs, start, tree.has_value(), curve);
  result.interrupted = InterruptGuard::interrupted();
  if (options.one_covers_all && somebody_is_complete(jobs)) result.complete = result.promise_kept = true;
  if (!stuck.empty()) {
    result.trouble = stuck;
    result.complete = result.promise_kept = false;
  }
  return result;
}

bool ends_campaign(const CampaignOptions& options, const CampaignResult& one) {
  const auto fails = [](const FoundSeed& seed) { return seed.kind != OutcomeKind::kDataRace; };
  return one.interrupted || (!options.keep_going && std::any_of(one.found.begin(), one.found.end(), fails));
}

// A process and a whole budget for each call. It skips the calls before, whose bodies leave no trace in it.
Result<CampaignResult> run_calls(const CampaignOptions& options, const ProgressListener& listener) {
  const Clock::time_point start = Clock::now();
  CampaignResult sum;
  for (std::uint32_t call = 1;; ++call) {
    CampaignOptions one = options;
    one.base.explore_call = call;
    one.deadline.postpone(Clock::now() - start);
    if (!one.checkpoint.path.empty()) {
      one.checkpoint.path += fmt::format(".call{}", call);
      one.checkpoint.resume = one.checkpoint.resume && access(one.checkpoint.path.c_str(), F_OK) == 0;
    }
    auto result = run_one(one, listener);
    if (!result && !sum.found.empty()) {
      sum.trouble = result.error().line();
      break;
    }
    if (!result) return result;
    if (result->program_ended) {
      if (call == 1) return run_one(options, listener);
      if (result->exit_status != options.expect_exit) {
        const Error error{ErrorKind::kCannotTest, "the program failed outside of explore()", options.program.path,
                          result->end_text};
        if (sum.found.empty()) return tl::make_unexpected(error);
        sum.trouble = error.line();  // what was found is reported
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

Result<CampaignResult> supervise_campaign(const CampaignOptions& options, const ProgressListener& listener) {
  const InterruptGuard guard;
  return options.explore_calls ? run_calls(options, listener) : run_one(options, listener);
}

}  // namespace ravel
