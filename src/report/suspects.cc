// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "cover/metric_table.h"

namespace ravel {
namespace {

double log_choose(std::uint64_t n, std::uint64_t k) {
  return std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
         std::lgamma(static_cast<double>(n - k) + 1);
}

// Tasks that differ by their threads only. A thread that a failure ended has entered fewer functions, so it is somebody
// else: that is what the failure did, not what led to it.
struct Group {
  MetricId metric = MetricId::kCount;
  std::string text;
  std::uint32_t places = 0;  // fields that are one
  std::uint64_t failing = 0;
  std::uint64_t passing = 0;
};

// "work#9748" -> "work", also within a set.
std::string without_hashes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_hex = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (text[i] == '#' && is_hex(i + 1) && is_hex(i + 2) && is_hex(i + 3) && is_hex(i + 4)) {
      i += 4;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Which fields of a metric are threads: those that its row calls t1, t2.
std::vector<bool> threads_among(MetricId metric) {
  std::vector<bool> out;
  std::string_view rest = metric_table()[static_cast<std::size_t>(metric)].fields;
  while (!rest.empty()) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    out.push_back(rest[0] == 't' && blank == 2);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return out;
}

Group group_of(const TaskCoverage& coverage, const CoverTask& task) {
  Group group;
  group.metric = task.metric;
  const std::vector<bool> is_thread = threads_among(task.metric);
  for (std::size_t i = 0; i < task.fields.size(); ++i) {
    if (i < is_thread.size() && is_thread[i]) continue;
    const CoverName& name = coverage.names[task.fields[i]];
    if (!name.function.empty()) ++group.places;
    group.text += (group.text.empty() ? "" : " ") + without_hashes(name.text);
  }
  return group;
}

std::vector<Group> grouped_tasks(const TaskCoverage& coverage) {
  std::vector<Group> groups;
  std::vector<std::size_t> of_task;
  std::map<std::pair<MetricId, std::string>, std::size_t> known;
  for (const CoverTask& task : coverage.tasks) {
    Group group = group_of(coverage, task);
    const auto [at, fresh] = known.try_emplace({group.metric, group.text}, groups.size());
    if (fresh) groups.push_back(std::move(group));
    of_task.push_back(at->second);
  }
  std::vector<std::uint64_t> failing(coverage.sets.size());
  std::vector<std::uint64_t> passing(coverage.sets.size());
  for (const CoverRun& run : coverage.runs) ++(run.failed ? failing : passing)[run.set];
  for (std::size_t i = 0; i < coverage.sets.size(); ++i) {
    std::set<std::size_t> covered;
    for (const std::uint32_t task : coverage.sets[i]) covered.insert(of_task[task]);
    for (const std::size_t group : covered) {
      groups[group].failing += failing[i];
      groups[group].passing += passing[i];
    }
  }
  return groups;
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
  const std::vector<Group> groups = grouped_tasks(coverage);
  for (const Group& group : groups) {
    if (group.failing == 0 || group.failing * passing <= group.passing * failing) continue;
    out.push_back({std::string(metric_table()[static_cast<std::size_t>(group.metric)].name), group.text, group.failing,
                   failing, group.passing, passing,
                   fisher(group.failing, group.failing + group.passing, failing, passing), group.places});
  }
  std::stable_sort(out.begin(), out.end(), [](const SuspectLine& a, const SuspectLine& b) {
    const std::uint64_t with_a = a.failing_with + a.passing_with;
    const std::uint64_t with_b = b.failing_with + b.passing_with;
    return a.p != b.p ? a.p < b.p : with_a != with_b ? with_a < with_b : a.places > b.places;
  });
  double least = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    least = std::max(least, std::min(1.0, out[i].p * static_cast<double>(groups.size() - i)));
    out[i].p = least;
  }
  if (out.size() > most) out.resize(most);
  return out;
}

std::string suspect_text(const SuspectLine& suspect) {
  std::istringstream words(suspect.task);
  std::string first;
  std::string second;
  std::string between;
  const bool is_avio = suspect.metric.starts_with("avio") && words >> first >> second >> between;
  if (!is_avio) return suspect.metric + " " + suspect.task;
  const std::string file = first.substr(0, first.rfind(':'));
  const auto in_file = [&](const std::string& place) {
    return place.starts_with(file + ":") ? place.substr(file.size()) : place;
  };
  return fmt::format("{} .. {} with {} between", first, in_file(second), in_file(between));
}

}  // namespace ravel
