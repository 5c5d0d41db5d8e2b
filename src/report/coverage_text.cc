// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cover/metric_table.h"
#include "report/console.h"

namespace ravel {
namespace {

constexpr std::size_t kMostNeverSeen = 8;

std::string percent(double share) {
  const double value = 100 * share;
  return value >= 10  ? fmt::format("{:.0f} %", value)
         : value >= 1 ? fmt::format("{:.1f} %", value)
                      : fmt::format("{:.2f} %", value);
}

std::string limit_of(const CoverageStats& stats) {
  if (stats.of) return fmt::format("of {}", grouped(*stats.of));
  if (stats.of_at_most) return grouped(std::max(*stats.of_at_most, stats.tasks));
  return "-";
}

std::string advice(const TaskCoverage& coverage, const std::vector<CoverageStats>& all) {
  if (all.empty() || coverage.runs.empty()) return {};
  if (std::all_of(all.begin(), all.end(), [](const CoverageStats& stats) { return stats.of.has_value(); })) {
    return "advice: stop: every task that there is was covered\n";
  }
  if (coverage.adaptive) {
    return "advice: executions of this strategy depend on earlier ones, so chances are a rough guide; --strategy pos "
           "draws them independently\n";
  }
  // What few executions show says nothing about many more.
  constexpr std::size_t kFew = 20;
  if (coverage.runs.size() < kFew) return fmt::format("advice: go on: fewer than {} runs say little\n", kFew);
  const std::size_t further = std::min<std::size_t>(1000, coverage.runs.size());
  double more = 0;
  double worst = 0;
  for (const CoverageStats& stats : all) {
    more += static_cast<double>(further) * stats.next_tasks;
    worst = std::max(worst, stats.bound);
  }
  constexpr double kEnough = 0.01;
  const std::string next =
      fmt::format("{} more runs like these would show about {:.1f} new tasks", grouped(further), more);
  return worst <= kEnough ? fmt::format("advice: stop, or change the test: {}\n", next)
                          : fmt::format("advice: go on: {}\n", next);
}

}  // namespace

std::string coverage_table(const TaskCoverage& coverage) {
  const std::vector<CoverageStats> all = stats_of(coverage);
  std::string text = fmt::format("{:<13} {:>7}  {:>10}  {:>12}  {:>8}  {}\n", "coverage", "tasks", "of at most",
                                 "one run sees", "last new", "next run shows something new");
  for (const CoverageStats& stats : all) {
    text += fmt::format("  {:<11} {:>7}  {:>10}  {:>12}  {:>8}  {} (95 %: below {})\n",
                        metric_table()[static_cast<std::size_t>(stats.metric)].name, grouped(stats.tasks),
                        limit_of(stats), stats.tasks == 0 ? "-" : percent(stats.average), grouped(stats.last_new),
                        percent(stats.chance), percent(stats.bound));
  }
  const std::vector<std::string> missing = never_seen(coverage);
  if (!missing.empty()) {
    const std::size_t shown = std::min(missing.size(), kMostNeverSeen);
    text += fmt::format("never seen: {}{}\n",
                        fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
                        shown < missing.size() ? fmt::format("; {} more", missing.size() - shown) : "");
  }
  if (coverage.truncated) text += "coverage is not complete: a table was full\n";
  return text + advice(coverage, all);
}

std::string execution_table(const TaskCoverage& coverage) {
  std::string text = fmt::format("{:<13} {:>7}\n", "coverage", "tasks");
  for (const CoverageStats& stats : stats_of(coverage)) {
    text += fmt::format("  {:<11} {:>7}\n", metric_table()[static_cast<std::size_t>(stats.metric)].name,
                        grouped(stats.tasks));
  }
  return text + (coverage.truncated ? "coverage is not complete: a table was full\n" : "");
}

std::vector<std::string> task_lines(const TaskCoverage& coverage, MetricId metric) {
  std::set<std::string> lines;
  const TaskCounts counts = count_tasks(coverage);
  for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
    const CoverTask& task = coverage.tasks[i];
    if (task.metric == metric && counts.covered(i)) lines.insert(coverage.text(task));
  }
  return {lines.begin(), lines.end()};
}

std::vector<std::string> task_lines(const TaskCoverage& coverage) {
  std::vector<std::string> out;
  for (const MetricRow& row : metric_table()) {
    for (const std::string& line : task_lines(coverage, row.id)) out.push_back(fmt::format("{} {}", row.name, line));
  }
  return out;
}

}  // namespace ravel
