// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/merge_results.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/invariant.h"
#include "driver/campaign_fields.h"

namespace ravel {

CampaignResult merge_jobs(const std::vector<CampaignResult>& parts, bool one_tree) {
  INVARIANT(!parts.empty(), "a campaign has at least one job");
  CampaignResult sum = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    one_tree ? add_result<Adding::kJobsOfOneTree>(sum, parts[i]) : add_result<Adding::kJobs>(sum, parts[i]);
  }
  INVARIANT(
      sum.executions == std::accumulate(sum.executions_by_job.begin(), sum.executions_by_job.end(), std::uint64_t{0}),
      "each execution was of one job");
  // Jobs speak of how far all were some executions ago.
  if (CampaignEstimate& estimate = sum.estimate; estimate.executions != 0) {
    estimate.low = std::max(estimate.low, sum.executions);
    estimate.executions = std::max(estimate.executions, estimate.low);
    estimate.high = std::max(estimate.high, estimate.executions);
  }
  return sum;
}

std::vector<FoundSeed> one_per_key(std::vector<FoundSeed> found) {
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.execution < b.execution; });
  std::vector<FoundSeed> out;
  for (FoundSeed& seed : found) {
    auto same = std::find_if(out.begin(), out.end(),
                             [&](const auto& f) { return f.key == seed.key && f.source == seed.source; });
    if (same == out.end()) {
      out.push_back(std::move(seed));
    } else {
      same->times_seen += seed.times_seen;
    }
  }
  return out;
}

std::vector<FoundOutcome> one_per_combination(std::vector<FoundOutcome> outcomes) {
  const auto order = [](const FoundOutcome& a, const FoundOutcome& b) {
    return std::tie(a.kind, a.observations, a.sequence_fits, a.sequence_done, a.trace) <
           std::tie(b.kind, b.observations, b.sequence_fits, b.sequence_done, b.trace);
  };
  std::stable_sort(outcomes.begin(), outcomes.end(), order);
  std::vector<FoundOutcome> out;
  for (FoundOutcome& outcome : outcomes) {
    if (!out.empty() && !order(out.back(), outcome)) {
      out.back().count += outcome.count;
    } else {
      out.push_back(std::move(outcome));
    }
  }
  return out;
}

void add_call(CampaignResult& sum, CampaignResult one, std::uint32_t call) {
  INVARIANT(sum.calls.size() + 1 == call, "calls are added in order, none is left out");
  one.calls = {{call, one.explore_name, one.executions, one.distinct_traces, one.complete, one.found.size()}};
  if (call == 1) {
    sum = std::move(one);
    return;
  }
  const CampaignSample before = sum.curve.empty() ? CampaignSample{} : sum.curve.back();
  for (const CampaignSample& sample : one.curve) {
    sum.curve.push_back({before.seconds + sample.seconds, before.executions + sample.executions,
                         before.distinct_traces + sample.distinct_traces, before.found + sample.found});
  }
  add_result<Adding::kCalls>(sum, one);
}

}  // namespace ravel
