// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/random.h"
#include "cover/metric_table.h"
#include "cover/sync_modes.h"

namespace ravel {
namespace {

bool is_lock(OpKind kind) {
  const auto modes = sync_modes_of(kind);
  return !modes.empty() && modes.back() == CoverWord::kBlocking;
}

std::string_view mode_of(const TaskCoverage& coverage, const CoverTask& task) {
  return task.fields.size() < 2 ? std::string_view() : std::string_view(coverage.names[task.fields[1]].text);
}

using ModesSeen = std::map<std::pair<std::uint32_t, OpKind>, std::set<std::string_view>>;
ModesSeen modes_seen(const TaskCoverage& coverage) {
  ModesSeen seen;
  for (const CoverTask& task : coverage.tasks) {
    if (task.metric != MetricId::kSync || task.fields.size() < 2) continue;
    seen[{task.fields[0], task.primitive}].insert(mode_of(coverage, task));
  }
  return seen;
}

// All modes of every place that was seen.
std::uint64_t most_of_sync(const TaskCoverage& coverage) {
  std::uint64_t most = 0;
  for (const auto& [place, modes] : modes_seen(coverage)) {
    std::set<std::string_view> all = modes;
    for (const CoverWord mode : sync_modes_of(place.second)) all.insert(kCoverWords[static_cast<std::size_t>(mode)]);
    most += all.size();
  }
  return most;
}

// Every first end with every second end of one object: fields `one` and `other`, each with its thread where there is
// one.
std::uint64_t most_of_pairs(const TaskCoverage& coverage, MetricId metric, std::size_t object) {
  using End = std::pair<std::uint32_t, std::uint32_t>;
  std::map<std::uint32_t, std::pair<std::set<End>, std::set<End>>> ends;
  std::uint64_t most = 0;
  for (const CoverTask& task : coverage.tasks) {
    if (task.metric != metric || task.fields.size() <= object) continue;
    const bool star = task.fields.size() > object + 2;
    const End first{task.fields[0], star ? task.fields[object + 1] : 0};
    const End second{task.fields[1], star ? task.fields[object + 2] : 0};
    if (coverage.names[task.fields[object]].text == "-") {
      ++most;  // creation and joining: each has one partner
      continue;
    }
    auto& of_object = ends[task.fields[object]];
    of_object.first.insert(first);
    of_object.second.insert(second);
  }
  for (const auto& [name, both] : ends) most += both.first.size() * both.second.size();
  return most;
}

void set_limits(const TaskCoverage& coverage, CoverageStats& stats) {
  const MetricRow& row = metric_table()[static_cast<std::size_t>(stats.metric)];
  const bool known = coverage.complete == CoverComplete::kSchedules ||
                     (coverage.complete == CoverComplete::kTraces && row.total == TotalKnownBy::kReduction);
  if (known && !coverage.truncated) {
    stats.of = stats.tasks;
    return;
  }
  switch (stats.metric) {
    case MetricId::kSync:
      stats.of_at_most = most_of_sync(coverage);
      break;
    case MetricId::kHbPair:
    case MetricId::kHbPairStar:
    case MetricId::kDuPairs:
    case MetricId::kDuPairsStar:
      stats.of_at_most = most_of_pairs(coverage, stats.metric, 2);
      break;
    default:
      break;
  }
}

// The tasks of one metric in each set.
std::vector<std::vector<std::uint32_t>> sets_of(const TaskCoverage& coverage, MetricId metric) {
  std::vector<std::vector<std::uint32_t>> sets(coverage.sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const std::uint32_t task : coverage.sets[i]) {
      if (coverage.tasks[task].metric == metric) sets[i].push_back(task);
    }
  }
  return sets;
}

struct Growth {
  double size_sum = 0;
  std::uint64_t last_new = 0;
  std::vector<std::uint64_t> curve;
};
Growth growth_of(const std::vector<std::vector<std::uint32_t>>& sets, const std::vector<std::uint32_t>& order,
                 std::size_t tasks) {
  Growth out;
  std::vector<bool> seen(tasks);
  std::vector<bool> known(sets.size());
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t set = order[i];
    out.size_sum += static_cast<double>(sets[set].size());
    const std::uint64_t before = total;
    if (!known[set]) {
      known[set] = true;
      for (const std::uint32_t task : sets[set]) {
        total += !seen[task];
        seen[task] = true;
      }
    }
    if (total != before) out.last_new = i + 1;
    out.curve.push_back(total);
  }
  return out;
}

double smooth_of(const std::vector<std::uint64_t>& curve) {
  if (curve.empty()) return 0;
  std::uint64_t values = 1;
  for (std::size_t i = 1; i < curve.size(); ++i) values += curve[i] != curve[i - 1];
  return static_cast<double>(values) / static_cast<double>(curve.size());
}

void set_chances(CoverageStats& stats) {
  const auto n = static_cast<double>(stats.runs);
  if (stats.runs == 0) return;
  const auto q1 = static_cast<double>(stats.once);
  stats.next_tasks = q1 / n;
  stats.chance = static_cast<double>(stats.only_runs) / n;
  stats.bound = bound_of_news(stats.only_runs, stats.twice, stats.runs);
  stats.chao2 =
      static_cast<double>(stats.tasks) + (n - 1) / n * q1 * (q1 - 1) / (2 * (static_cast<double>(stats.twice) + 1));
}

CoverageStats stats_of(const TaskCoverage& coverage, MetricId metric, const TaskCounts& counts) {
  CoverageStats stats;
  stats.metric = metric;
  stats.runs = coverage.runs.size();
  std::vector<std::uint32_t> order;
  for (const CoverRun& run : coverage.runs) order.push_back(run.set);
  const auto sets = sets_of(coverage, metric);
  std::vector<bool> single(coverage.tasks.size());
  for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
    const std::uint64_t times = counts.passing[i] + counts.failing[i];
    if (coverage.tasks[i].metric != metric || times == 0) continue;
    ++stats.tasks;
    single[i] = times == 1;
    stats.once += times == 1;
    stats.twice += times == 2;
  }
  std::vector<bool> has_single(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    has_single[i] = std::any_of(sets[i].begin(), sets[i].end(), [&](std::uint32_t task) { return single[task]; });
  }
  for (const std::uint32_t set : order) stats.only_runs += has_single[set];
  Growth growth = growth_of(sets, order, coverage.tasks.size());
  stats.last_new = growth.last_new;
  stats.curve = std::move(growth.curve);
  stats.mean_size = order.empty() ? 0 : growth.size_sum / static_cast<double>(order.size());
  stats.total = static_cast<double>(stats.tasks);
  stats.average = stats.tasks == 0 ? 0 : stats.mean_size / stats.total;
  stats.smooth = smooth_of(stats.curve);
  set_chances(stats);
  set_limits(coverage, stats);
  return stats;
}

// log P(X <= k) of the binomial distribution, summed from the largest term.
double log_tail(std::uint64_t k, std::uint64_t n, double p) {
  double most = -1e300;
  std::vector<double> terms;
  for (std::uint64_t i = 0; i <= k; ++i) {
    const double one = std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(i) + 1) -
                       std::lgamma(static_cast<double>(n - i) + 1) + static_cast<double>(i) * std::log(p) +
                       static_cast<double>(n - i) * std::log1p(-p);
    terms.push_back(one);
    most = std::max(most, one);
  }
  double sum = 0;
  for (const double one : terms) sum += std::exp(one - most);
  return most + std::log(sum);
}

}  // namespace

double clopper_pearson(std::uint64_t successes, std::uint64_t n) {
  if (n == 0 || successes >= n) return 1;
  if (successes == 0) return 1 - std::pow(0.05, 1 / static_cast<double>(n));
  double low = static_cast<double>(successes) / static_cast<double>(n);
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (log_tail(successes, n, middle) > std::log(0.05) ? low : high) = middle;
  }
  return high;
}

double bound_of_news(std::uint64_t only_runs, std::uint64_t twice, std::uint64_t n) {
  const double exact = clopper_pearson(only_runs, n);
  if (twice == 0 || n == 0) return exact;
  const auto r1 = static_cast<double>(only_runs);
  const double wider = r1 + 1.645 * std::sqrt(r1 + 2 * static_cast<double>(twice)) + 1.5;
  return std::max(exact, std::min(1.0, wider / static_cast<double>(n)));
}

TaskCounts count_tasks(const TaskCoverage& coverage) {
  std::vector<std::uint64_t> passing(coverage.sets.size());
  std::vector<std::uint64_t> failing(coverage.sets.size());
  for (const CoverRun& run : coverage.runs) ++(run.failed ? failing : passing)[run.set];
  TaskCounts counts{std::vector<std::uint64_t>(coverage.tasks.size()),
                    std::vector<std::uint64_t>(coverage.tasks.size())};
  for (std::size_t i = 0; i < coverage.sets.size(); ++i) {
    for (const std::uint32_t task : coverage.sets[i]) {
      counts.passing[task] += passing[i];
      counts.failing[task] += failing[i];
    }
  }
  return counts;
}

std::vector<CoverageStats> stats_of(const TaskCoverage& coverage) {
  const TaskCounts counts = count_tasks(coverage);
  std::vector<CoverageStats> out;
  for (const MetricRow& row : metric_table()) {
    if ((coverage.metrics & metric_bit(row.id)) != 0) out.push_back(stats_of(coverage, row.id, counts));
  }
  return out;
}

std::vector<CoverageStats> stats_of_series(const TaskCoverage& coverage, std::uint64_t series, std::uint64_t length,
                                           std::uint64_t seed) {
  std::vector<CoverageStats> out = stats_of(coverage);
  const std::uint64_t n = coverage.runs.size();
  length = std::min(length, n);
  if (series == 0 || length == 0) return out;
  for (CoverageStats& stats : out) {
    const auto sets = sets_of(coverage, stats.metric);
    Random random(seed);
    std::vector<std::uint32_t> pool;
    for (const CoverRun& run : coverage.runs) pool.push_back(run.set);
    double total = 0;
    double size = 0;
    double smooth = 0;
    for (std::uint64_t i = 0; i < series; ++i) {
      for (std::uint64_t k = 0; k < length; ++k) std::swap(pool[k], pool[k + random.below(n - k)]);
      const std::vector<std::uint32_t> order(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(length));
      const Growth growth = growth_of(sets, order, coverage.tasks.size());
      total += static_cast<double>(growth.curve.back());
      size += growth.size_sum / static_cast<double>(length);
      smooth += smooth_of(growth.curve);
    }
    const auto many = static_cast<double>(series);
    stats.total = total / many;
    stats.average = total == 0 ? 0 : size / total;
    stats.smooth = smooth / many;
  }
  return out;
}

std::vector<std::string> never_seen(const TaskCoverage& coverage) {
  std::vector<std::string> out;
  for (const auto& [place, modes] : modes_seen(coverage)) {
    for (const CoverWord mode : sync_modes_of(place.second)) {
      const std::string_view word = kCoverWords[static_cast<std::size_t>(mode)];
      if (modes.count(word) != 0 || (mode == CoverWord::kBlocking && is_lock(place.second))) continue;
      const std::string_view name = place.second == OpKind::kCondReacquire ? "wait" : op_name(place.second);
      out.push_back(fmt::format("{} {} {}", name, coverage.names[place.first].text, word));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace ravel
