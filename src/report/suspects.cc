// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/suspects.h"

#include <algorithm>
#include <cmath>

#include "cover/metric_table.h"
#include "report/coverage_stats.h"

namespace ravel {
namespace {

double log_choose(std::uint64_t n, std::uint64_t k) {
  return std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
         std::lgamma(static_cast<double>(n - k) + 1);
}

}  // namespace

double fisher(std::uint64_t both, std::uint64_t with, std::uint64_t failing, std::uint64_t passing) {
  const std::uint64_t all = failing + passing;
  const double whole = log_choose(all, with);
  double sum = 0;
  for (std::uint64_t k = std::min(with, failing) + 1; k-- > both;) {
    if (with - k > passing) continue;
    sum += std::exp(log_choose(failing, k) + log_choose(passing, with - k) - whole);
  }
  return std::min(sum, 1.0);
}

std::vector<SuspectLine> suspects_of(const TaskCoverage& coverage, std::size_t most) {
  std::uint64_t failing = 0;
  for (const CoverRun& run : coverage.runs) failing += run.failed;
  const std::uint64_t passing = coverage.runs.size() - failing;
  std::vector<SuspectLine> out;
  if (failing == 0 || passing == 0) return out;
  const TaskCounts counts = count_tasks(coverage);
  for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
    const std::uint64_t bad = counts.failing[i];
    const std::uint64_t good = counts.passing[i];
    if (bad == 0 || bad * passing <= good * failing) continue;
    const CoverTask& task = coverage.tasks[i];
    out.push_back({std::string(metric_table()[static_cast<std::size_t>(task.metric)].name), coverage.text(task), bad,
                   failing, good, passing, fisher(bad, bad + good, failing, passing)});
  }
  std::stable_sort(out.begin(), out.end(), [](const SuspectLine& a, const SuspectLine& b) {
    return a.p != b.p ? a.p < b.p : a.failing_with + a.passing_with < b.failing_with + b.passing_with;
  });
  double least = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    least = std::max(least, std::min(1.0, out[i].p * static_cast<double>(coverage.tasks.size() - i)));
    out[i].p = least;
  }
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace ravel
