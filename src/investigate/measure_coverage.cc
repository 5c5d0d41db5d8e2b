// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/measure_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cover/metric_table.h"
#include "driver/plan_store.h"
#include "report/coverage_file.h"
#include "report/coverage_naming.h"
#include "report/region_patterns.h"
#include "report/system_code.h"

namespace ravel {
namespace {

// Strategies whose executions are drawn alike, whatever earlier ones showed.
bool draws_independently(const StrategyRow& strategy) {
  constexpr std::string_view kNames[] = {"run-on", "random", "pct", "pos", "period"};
  return std::find(std::begin(kNames), std::end(kNames), strategy.name) != std::end(kNames);
}

CoverComplete completeness(const CampaignRequest& options, const StrategyRow& strategy, const CampaignResult& result) {
  const bool accesses = options.base.points == PointsMode::kShared || options.base.points == PointsMode::kAll;
  const bool everything = strategy.coverage == Coverage::kEverything && options.shard_count == 1;
  if (!result.complete || !accesses || !everything) return CoverComplete::kNo;
  return strategy.reduces() ? CoverComplete::kTraces : CoverComplete::kSchedules;
}

// What is known of a measurement before its tasks.
TaskCoverage measured(const CoverageRequest& request, const ProgramImage& image, PointsMode points) {
  TaskCoverage coverage;
  coverage.program = std::filesystem::path(image.path).filename().string();
  coverage.build_id = image.build_id;
  coverage.points = kPointsNames[static_cast<std::size_t>(points)];
  coverage.identity = identity_text(request);
  coverage.functions_known = std::max<std::uint32_t>(request.functions, kLeastFirstFunctions);
  coverage.metrics = request.metrics;
  return coverage;
}

}  // namespace

std::string identity_text(const CoverageRequest& request) {
  return fmt::format("threads={},n={},objects={}", kIdentityNames[static_cast<std::size_t>(request.threads)],
                     request.functions, kIdentityNames[static_cast<std::size_t>(request.objects)]);
}

Result<void> check_coverage(CampaignRequest& options, const StrategyRow& strategy) {
  CoverageRequest& coverage = options.coverage;
  if (coverage.saturation != 0 && coverage.metrics == 0) coverage.metrics = default_metrics();
  if (strategy.by_tasks) coverage.metrics |= metric_bit(metric_of_strategy(options.strategy));
  coverage.adaptive = !draws_independently(strategy);
  if (coverage.saturation != 0 && strategy.searches_tree) {
    return usage_error("--until-saturated cannot be combined with strategy", std::string(strategy.name),
                       "an exhaustive search knows its end; use a sampling strategy such as pos");
  }
  if (coverage.metrics == 0 && !options.coverage_file.empty()) {
    return usage_error("--coverage-file needs --coverage", options.coverage_file);
  }
  return {};
}

Result<void> find_jobs(CoverageRequest& coverage, const std::vector<std::string>& patterns,
                       const std::string& program) {
  if (patterns.empty()) return {};
  if (coverage.metrics == 0) return usage_error("--coverage-jobs needs --coverage", patterns[0]);
  auto jobs = find_region_functions(patterns, program, "--coverage-jobs");
  if (!jobs) return tl::make_unexpected(jobs.error());
  coverage.jobs = std::move(jobs->code);
  return {};
}

void prepare_coverage(CampaignOptions& campaign, const ProgramImage& image) {
  if (campaign.coverage.metrics != 0) campaign.coverage.system_code = find_system_code(image.path);
}

std::shared_ptr<TaskCoverage> coverage_of_campaign(const CampaignRequest& options, const ProgramImage& image,
                                                   const StrategyRow& strategy, const CampaignResult& result) {
  const CoverageRequest& request = options.coverage;
  if (request.metrics == 0) return nullptr;
  auto coverage = std::make_shared<TaskCoverage>(measured(request, image, options.base.points));
  coverage->strategy = options.strategy;
  coverage->adaptive = request.adaptive;
  coverage->complete = completeness(options, strategy, result);
  name_coverage(result.coverage, *coverage);
  return coverage;
}

Result<TaskCoverage> coverage_of_replay(ReplayOptions replay, const CoverageRequest& request,
                                        const ProgramImage& image) {
  replay.coverage = request;
  replay.coverage.system_code = find_system_code(image.path);
  replay.program.pass_output = false;
  replay.repeat = 1;
  auto result = run_replay(replay);
  if (!result) return tl::make_unexpected(result.error());
  TaskCoverage coverage = measured(request, image, replay.plan.points);
  coverage.strategy = "replay";
  name_coverage(result->coverage, coverage);
  return coverage;
}

Result<std::string> save_coverage(const TaskCoverage& coverage, const std::string& file, const std::string& folder,
                                  const std::string& name) {
  const std::string path = file.empty() ? fmt::format("{}/{}", folder, name) : file;
  if (file.empty()) {
    std::error_code ignored;
    std::filesystem::create_directory(folder, ignored);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ignored);
  }
  if (auto written = write_file(path, coverage_text(coverage)); !written) return tl::make_unexpected(written.error());
  return path;
}

Result<std::string> save_coverage(const CampaignRequest& options, const TaskCoverage& coverage) {
  return save_coverage(coverage, options.coverage_file, options.output, coverage.program + ".cov");
}

}  // namespace ravel
