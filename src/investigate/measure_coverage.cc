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

}  // namespace

Result<void> check_coverage(CampaignRequest& options, const StrategyRow& strategy) {
  CoverageRequest& coverage = options.coverage;
  if (coverage.saturation != 0 && coverage.metrics == 0) coverage.metrics = default_metrics();
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

void prepare_coverage(CampaignOptions& campaign, const ProgramImage& image) {
  if (campaign.coverage.metrics != 0) campaign.coverage.system_code = find_system_code(image.path);
}

std::shared_ptr<TaskCoverage> coverage_of_campaign(const CampaignRequest& options, const ProgramImage& image,
                                                   const StrategyRow& strategy, const CampaignResult& result) {
  const CoverageRequest& request = options.coverage;
  if (request.metrics == 0) return nullptr;
  auto coverage = std::make_shared<TaskCoverage>();
  coverage->program = std::filesystem::path(image.path).filename().string();
  coverage->build_id = image.build_id;
  coverage->strategy = options.strategy;
  coverage->points = kPointsNames[static_cast<std::size_t>(options.base.points)];
  coverage->identity =
      fmt::format("threads={},n={},objects={}", kIdentityNames[static_cast<std::size_t>(request.threads)],
                  request.functions, kIdentityNames[static_cast<std::size_t>(request.objects)]);
  coverage->adaptive = request.adaptive;
  coverage->complete = completeness(options, strategy, result);
  coverage->metrics = request.metrics;
  name_coverage(result.coverage, *coverage);
  return coverage;
}

Result<std::string> save_coverage(const CampaignRequest& options, const TaskCoverage& coverage) {
  const std::string path = options.coverage_file.empty() ? fmt::format("{}/{}.cov", options.output, coverage.program)
                                                         : options.coverage_file;
  if (options.coverage_file.empty()) {
    std::error_code ignored;
    std::filesystem::create_directory(options.output, ignored);
    std::filesystem::permissions(options.output, std::filesystem::perms::owner_all, ignored);
  }
  if (auto written = write_file(path, coverage_text(coverage)); !written) return tl::make_unexpected(written.error());
  return path;
}

}  // namespace ravel
