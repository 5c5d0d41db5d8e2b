// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cover/metric_table.h"
#include "report/coverage_stats.h"

namespace ravel {
namespace {

constexpr std::size_t kMostShown = 20;

enum class Code { kSame, kChanged, kUnknown };

// Of all functions that the task has places in.
Code code_of(const TaskCoverage& from, const CoverTask& task, const TaskCoverage& other) {
  Code code = Code::kSame;
  for (const std::uint32_t field : task.fields) {
    const std::string& function = from.names[field].function;
    if (function.empty()) continue;
    const auto here = from.functions.find(function);
    const auto there = other.functions.find(function);
    if (here == from.functions.end() || here->second == 0) {
      code = Code::kUnknown;
      continue;
    }
    if (there == other.functions.end()) return Code::kChanged;
    if (there->second == 0) {
      code = Code::kUnknown;
    } else if (there->second != here->second) {
      return Code::kChanged;
    }
  }
  return code;
}

// The tasks of two files by numbers of lasting names that both share.
class CommonTasks {
 public:
  // Of the tasks that some execution covered.
  void add(const TaskCoverage& coverage, const TaskCounts& counts) {
    const std::vector<std::uint32_t> names = names_of(coverage);
    tasks_.reserve(coverage.tasks.size());
    for (std::size_t i = 0; i < coverage.tasks.size(); ++i) {
      if (counts.covered(i)) tasks_.insert(renamed(coverage.tasks[i], names));
    }
  }
  [[nodiscard]] std::vector<bool> contained(const TaskCoverage& coverage) {
    const std::vector<std::uint32_t> names = names_of(coverage);
    std::vector<bool> out;
    out.reserve(coverage.tasks.size());
    for (const CoverTask& task : coverage.tasks) out.push_back(tasks_.count(renamed(task, names)) != 0);
    return out;
  }

 private:
  struct Hash {
    std::size_t operator()(const CoverTask& task) const { return hash_of(task); }
  };
  struct Same {
    bool operator()(const CoverTask& a, const CoverTask& b) const { return same_task(a, b); }
  };
  std::vector<std::uint32_t> names_of(const TaskCoverage& coverage) {
    std::vector<std::uint32_t> out;
    for (const CoverName& name : coverage.names) {
      out.push_back(names_.emplace(name.lasting, static_cast<std::uint32_t>(names_.size())).first->second);
    }
    return out;
  }
  static CoverTask renamed(CoverTask task, const std::vector<std::uint32_t>& names) {
    task.primitive = OpKind::kNone;  // is said by the place
    for (std::uint32_t& field : task.fields) field = names[field];
    return task;
  }

  std::unordered_map<std::string, std::uint32_t> names_;
  std::unordered_set<CoverTask, Hash, Same> tasks_;
};

}  // namespace

std::vector<MetricDifference> difference_of(const TaskCoverage& before, const TaskCoverage& after) {
  std::vector<MetricDifference> all(metric_table().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].metric = static_cast<MetricId>(i);
  // What only one of them measured is no difference.
  const std::uint32_t both = before.metrics & after.metrics;
  const TaskCounts counts = count_tasks(before);
  const TaskCounts new_counts = count_tasks(after);
  CommonTasks old_tasks;
  old_tasks.add(before, counts);
  CommonTasks new_tasks;
  new_tasks.add(after, new_counts);
  const std::vector<bool> still = new_tasks.contained(before);
  const std::vector<bool> already = old_tasks.contained(after);
  for (std::size_t i = 0; i < before.tasks.size(); ++i) {
    const CoverTask& task = before.tasks[i];
    if (!counts.covered(i) || (both & metric_bit(task.metric)) == 0 || still[i]) continue;
    MetricDifference& difference = all[static_cast<std::size_t>(task.metric)];
    const Code code = code_of(before, task, after);
    if (code == Code::kChanged) ++difference.gone;
    if (code == Code::kUnknown) ++difference.unknown;
    if (code != Code::kSame) continue;
    const double runs = before.runs.empty() ? 1 : static_cast<double>(before.runs.size());
    difference.lost.push_back({before.text(task), static_cast<double>(counts.passing[i] + counts.failing[i]) / runs});
  }
  for (std::size_t i = 0; i < after.tasks.size(); ++i) {
    const CoverTask& task = after.tasks[i];
    if (!new_counts.covered(i)) continue;
    if ((both & metric_bit(task.metric)) == 0 || already[i]) continue;
    MetricDifference& difference = all[static_cast<std::size_t>(task.metric)];
    ++(code_of(after, task, before) == Code::kSame ? difference.fresh : difference.fresh_in_new);
    difference.added.push_back(after.text(task));
  }
  std::erase_if(all, [](const MetricDifference& difference) { return difference.empty(); });
  for (MetricDifference& difference : all) {
    std::stable_sort(difference.lost.begin(), difference.lost.end(),
                     [](const LostTask& a, const LostTask& b) { return a.share > b.share; });
  }
  return all;
}

std::string difference_text(const std::vector<MetricDifference>& all) {
  std::string text;
  for (const MetricDifference& one : all) {
    text += fmt::format("{:<12} +{} -{}", metric_table()[static_cast<std::size_t>(one.metric)].name,
                        one.fresh + one.fresh_in_new, one.lost.size() + one.gone + one.unknown);
    if (one.fresh_in_new != 0) text += fmt::format("  {} in new or changed code", one.fresh_in_new);
    if (one.gone != 0) text += fmt::format("  {} gone with their code", one.gone);
    if (one.unknown != 0) text += fmt::format("  {} lost where the source could not be read", one.unknown);
    text += "\n";
    for (std::size_t i = 0; i < std::min(one.lost.size(), kMostShown); ++i) {
      text += fmt::format("  lost in unchanged code: {} ({:.0f} % of runs before)\n", one.lost[i].task,
                          100 * one.lost[i].share);
    }
    if (one.lost.size() > kMostShown) text += fmt::format("  and {} more\n", one.lost.size() - kMostShown);
  }
  return text.empty() ? "no difference\n" : text;
}

}  // namespace ravel
