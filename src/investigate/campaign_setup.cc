// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/campaign_setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "detect/detector_table.h"
#include "investigate/measure_coverage.h"
#include "investigate/strategy_check.h"

namespace ravel {
namespace {

// What decides which executions there are; a checkpoint is resumed only if it is the same.
std::string identity_of(const CampaignRequest& options, const std::vector<std::string>& program,
                        const ProgramImage& image) {
  const PlanSpec& base = options.base;
  return fmt::format("{}\n{}\n{}{}\n{} {} {}\n{} {} {} {} {} {} {}", image.build_id, fmt::join(program, "\n"),
                     options.stdin_file, options.prefix.empty() ? "" : "\n" + options.prefix, options.seed,
                     options.expect_exit, options.scratch, base.max_steps, static_cast<int>(base.points),
                     base.excluded_classes, base.faults, base.max_faults, static_cast<int>(base.timeouts),
                     options.keep_going) +
         fmt::format(" {} {} {} {} {}", options.shard_index, options.shard_count, options.detectors,
                     fmt::join(options.regions, ","), static_cast<int>(base.volatiles)) +
         fmt::format(" {} {} {} {} {}", fmt::join(options.coverage_jobs, ","), options.coverage.metrics,
                     static_cast<int>(options.coverage.threads), static_cast<int>(options.coverage.objects),
                     options.coverage.functions) +
         fmt::format(" {} {} {} {}", sequence_text(options.goal), sequence_text(options.targets),
                     static_cast<int>(base.waiters), options.focus);
}

// A hang must be seen, and seen again by the process that confirms it, before the time is over.
std::chrono::milliseconds hang_within(std::chrono::milliseconds hang, std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kLeast{500};
  return time.count() == 0 ? hang : std::min(hang, std::max(time / 3, kLeast));
}

// Its heuristics by=distance and by=rank go by a sequence.
bool best_first_by_goal(const std::string& strategy) {
  const auto by = best_first_by(strategy);
  return by && needs_goal(*by);
}

Result<void> check_targets(const CampaignRequest& options, const StrategyRow& row) {
  const bool by_property = searches_property(options.strategy);
  if (row.needs_target && options.targets.empty()) {
    return usage_error("strategy slice needs a target", "", "--target a.cpp:3");
  }
  if (!row.needs_target && !by_property && !options.targets.empty()) {
    return usage_error("--target needs strategy slice", options.strategy, "or best-first,by=property");
  }
  if (row.needs_target && (!options.checkpoint.empty() || !options.resume.empty())) {
    return usage_error("strategy slice cannot be combined with --checkpoint", "", "each of its rounds is a search");
  }
  return {};
}

}  // namespace

Deadline deadline_for(const CampaignRequest& options, std::chrono::milliseconds time, Clock::time_point start) {
  if (time.count() == 0) return {};
  const std::chrono::milliseconds after = std::max(time / 5, options.minimise + std::chrono::milliseconds(700));
  return Deadline(start + time + after);
}

Result<CampaignSetup> check_options(CampaignRequest& options) {
  options.strategy = options.strategy_or_default();
  if (!options.dependence.empty()) {
    if (options.strategy != "clock-vector") {
      return usage_error("--dependence needs strategy clock-vector", options.strategy);
    }
    options.strategy += ",dependence=" + options.dependence;
  }
  if (std::string problem = check_strategy(options.strategy); !problem.empty()) {
    return usage_error("bad value", "--strategy " + options.strategy, problem);
  }
  if (options.shard_index >= options.shard_count) {
    return usage_error("bad value", fmt::format("--shard-index {}", options.shard_index),
                       fmt::format("below --shard-count {}: the first is 0", options.shard_count));
  }
  CampaignSetup setup;
  setup.strategy = find_strategy(options.strategy);
  if (auto checked = check_coverage(options, *setup.strategy); !checked) return tl::make_unexpected(checked.error());
  const StrategyRow& row = *setup.strategy;
  const bool by_goal = row.follows_goal || best_first_by_goal(options.strategy);
  if (by_goal != !options.goal.empty()) {
    return by_goal ? usage_error(fmt::format("strategy {} needs a sequence of places", options.strategy), "",
                                 "--goal a.cpp:3,a.cpp:7")
                   : usage_error("--goal needs strategy meta", options.strategy,
                                 "or best-first with by=rank or by=distance");
  }
  if (by_goal && options.base.points != PointsMode::kRacy && options.base.points != PointsMode::kAll) {
    return usage_error("--goal cannot be combined with --points", std::string(options.points_name()),
                       "places of the sequence are scheduling points: racy, pairs or all");
  }
  if (auto checked = check_targets(options, row); !checked) return tl::make_unexpected(checked.error());
  if (!options.focus.empty() && !row.takes_pairs) return usage_error("--focus needs strategy values", options.strategy);
  if (!options.focus.empty() && options.strategy.find("slices=apart") != std::string::npos)
    return usage_error("--focus cannot be combined with slices=apart", options.strategy);
  if (row.reduces() && options.base.faults != 0) {
    return usage_error("--faults cannot be combined with strategy", std::string(row.name),
                       "a bounded number of faults makes independent operations depend on each other: use dfs");
  }
  if (!options.prefix.empty() && row.name == "reachability") {
    return usage_error("--prefix cannot be combined with strategy", "reachability", "it forces sequences of its own");
  }
  if (!options.prefix.empty() && (options.base.excluded_classes >> static_cast<unsigned>(OpClass::kSync) & 1) != 0) {
    return usage_error("--prefix cannot be combined with --points-exclude sync", options.prefix,
                       "what is no scheduling point cannot be held back");
  }
  if (!options.checkpoint.empty() && !options.resume.empty()) {
    return usage_error("--checkpoint cannot be combined with --resume", options.resume,
                       "the file is kept up to date anyway");
  }
  if (options.jobs > 1 && row.jobs != Jobs::kParts && !can_share_a_tree(options.strategy)) {
    setup.notes.push_back(
        fmt::format("{} is searched by one process, not {}: docs/adr/0010", options.strategy, options.jobs));
    options.jobs = 1;
  }
  return setup;
}

CampaignOptions campaign_options(const CampaignRequest& options, const std::vector<std::string>& program,
                                 const ProgramImage& image, const StandardInput& input) {
  CampaignOptions campaign;
  campaign.program.path = image.path;
  campaign.program.argv = program;
  campaign.program.stdin_path = input.path();
  campaign.program.scratch = options.scratch;
  campaign.program.pass_output = options.show_output;
  campaign.strategy = options.strategy;
  campaign.seed = options.seed;
  campaign.budget = options.budget();
  campaign.deadline = deadline_for(options, campaign.budget.time, Clock::now());
  campaign.one_covers_all = find_strategy(options.strategy)->hosts_dpor;
  campaign.patience = find_strategy(options.strategy)->searches_tree ? 0 : options.patience();
  campaign.jobs = options.jobs;
  campaign.one_tree = can_share_a_tree(options.strategy);
  campaign.shard_index = options.shard_index;
  campaign.shard_count = options.shard_count;
  campaign.busy_ms = static_cast<std::uint64_t>(options.hang.count());
  campaign.hang_ms = static_cast<std::uint64_t>(hang_within(options.hang, campaign.budget.time).count());
  campaign.expect_exit = options.expect_exit;
  campaign.keep_going = options.keep_going;
  campaign.ends_at_goal = !options.keep_going && !options.past_goal;
  campaign.verify = options.verify;
  campaign.isolation = options.isolation;
  campaign.detectors = options.detectors & ~(options.training == 0 ? untrained_detectors() : 0);
  campaign.training = options.training;
  campaign.coverage = options.coverage;
  prepare_coverage(campaign, image);
  campaign.explore_calls = image.calls_explore;
  campaign.base = options.base;
  campaign.open_first = !options.limits_steps;
  campaign.checkpoint.resume = !options.resume.empty();
  campaign.checkpoint.path = campaign.checkpoint.resume ? options.resume : options.checkpoint;
  campaign.checkpoint.campaign = identity_of(options, program, image);
  return campaign;
}

}  // namespace ravel
