// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel {
namespace {

std::string bytes_of(const std::vector<std::uint32_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint32_t)};
}
std::string key_of(const CoverName& name) {
  return name.lasting + '\0' + name.text;
}

}  // namespace

std::string TaskCoverage::text(const CoverTask& task) const {
  std::string out;
  for (const std::uint32_t field : task.fields) out += (out.empty() ? "" : " ") + names[field].text;
  return out;
}

std::uint64_t hash_of(const CoverTask& task) {
  std::uint64_t hash = static_cast<std::uint64_t>(task.metric) << 8 | static_cast<std::uint64_t>(task.primitive);
  for (const std::uint32_t field : task.fields) hash = hash_combine(hash, field);
  return hash;
}

bool same_task(const CoverTask& a, const CoverTask& b) {
  return a.metric == b.metric && a.primitive == b.primitive && a.fields == b.fields;
}

std::uint64_t threads_seen(const TaskCoverage& coverage, SeenBy by, std::size_t functions) {
  std::set<std::uint64_t> different;
  for (const std::vector<std::uint64_t>& one : coverage.threads) {
    const std::size_t first = by == SeenBy::kReal ? 0 : by == SeenBy::kType ? 1 : functions + 1;
    if (!one.empty()) different.insert(one[std::min(first, one.size() - 1)]);
  }
  return different.size();
}

std::uint64_t objects_seen(const TaskCoverage& coverage, SeenBy by) {
  std::set<std::uint64_t> different;
  for (const std::vector<std::uint64_t>& one : coverage.objects) {
    if (static_cast<std::size_t>(by) < one.size()) different.insert(one[static_cast<std::size_t>(by)]);
  }
  return different.size();
}

CoverageBuilder::CoverageBuilder(TaskCoverage& coverage)
    : coverage_(coverage), tasks_(0, TaskHash{&coverage}, SameTask{&coverage}) {
  for (std::uint32_t i = 0; i < coverage.names.size(); ++i) names_.emplace(key_of(coverage.names[i]), i);
  for (std::uint32_t i = 0; i < coverage.tasks.size(); ++i) tasks_.insert(i);
  for (std::uint32_t i = 0; i < coverage.sets.size(); ++i) sets_.emplace(bytes_of(coverage.sets[i]), i);
}

std::uint32_t CoverageBuilder::name(const CoverName& name) {
  const auto [at, fresh] = names_.emplace(key_of(name), static_cast<std::uint32_t>(coverage_.names.size()));
  if (fresh) coverage_.names.push_back(name);
  return at->second;
}

std::uint32_t CoverageBuilder::task(const CoverTask& task) {
  const auto number = static_cast<std::uint32_t>(coverage_.tasks.size());
  coverage_.tasks.push_back(task);  // to be compared with
  const auto [at, fresh] = tasks_.insert(number);
  if (!fresh) coverage_.tasks.pop_back();
  return *at;
}

std::uint32_t CoverageBuilder::set(std::vector<std::uint32_t> tasks) {
  std::sort(tasks.begin(), tasks.end());
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
  const auto [at, fresh] = sets_.emplace(bytes_of(tasks), static_cast<std::uint32_t>(coverage_.sets.size()));
  if (fresh) coverage_.sets.push_back(std::move(tasks));
  return at->second;
}

void CoverageBuilder::add(const TaskCoverage& other) {
  std::vector<std::uint32_t> names;
  std::vector<std::uint32_t> tasks;
  std::vector<std::uint32_t> sets;
  for (const CoverName& one : other.names) names.push_back(name(one));
  for (CoverTask one : other.tasks) {
    for (std::uint32_t& field : one.fields) field = names[field];
    tasks.push_back(task(one));
  }
  for (std::vector<std::uint32_t> one : other.sets) {
    for (std::uint32_t& number : one) number = tasks[number];
    sets.push_back(set(std::move(one)));
  }
  for (const CoverRun& one : other.runs) run(sets[one.set], one.failed);
  if (coverage_.noise.empty()) coverage_.noise = other.noise;
  for (const auto& [place, count] : other.injected) coverage_.injected[place] += count;
  coverage_.functions.insert(other.functions.begin(), other.functions.end());
  coverage_.threads.insert(other.threads.begin(), other.threads.end());
  coverage_.objects.insert(other.objects.begin(), other.objects.end());
  coverage_.functions_known = std::max(coverage_.functions_known, other.functions_known);
  coverage_.seen_truncated = coverage_.seen_truncated || other.seen_truncated;
  coverage_.metrics |= other.metrics;
  coverage_.truncated = coverage_.truncated || other.truncated;
  coverage_.adaptive = coverage_.adaptive || other.adaptive;
}

}  // namespace ravel
