// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How close to its end the growth of coverage is, execution by execution. For each metric: executions that have a task
// which no other has (R1; leaving one of them out would lose a task), and for how long nothing new came.
//
// Two rules end a campaign. For executions drawn alike and independently: with 95 % confidence, by the exact binomial
// tail (Clopper, Pearson 1934), the next execution shows a new task with a chance of at most P. For adaptive strategies
// nothing of the kind holds: the last K executions brought nothing, K at least 50 and twice the longest such shoulder.
//
// Scratch memory: made again from the tables when a worker starts.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "cover/cover_tables.h"
#include "model/coverage.h"

namespace ravel {

enum class StoppingRule : std::uint8_t { kNever, kBound, kShoulder };

// P(X <= successes) for n independent trials of chance `p` is at most 5 %.
[[nodiscard]] bool chance_is_below(std::uint64_t successes, std::uint64_t n, double p);
// The same of the chance of something new: what was never seen varies more than the binomial tail says where tasks were
// seen twice (Good 1953: the variance is that of once + 2 * twice).
[[nodiscard]] bool news_is_below(std::uint64_t only_runs, std::uint64_t twice, std::uint64_t n, double p);

class Saturation {
 public:
  struct OfMetric {
    std::uint32_t tasks = 0;
    std::uint32_t singles = 0;           // executions with a task that is theirs alone
    std::uint32_t twice = 0;             // tasks of exactly two executions
    std::uint32_t last_new = 0;          // number of the execution, from 1
    std::uint32_t longest_shoulder = 0;  // executions without anything new before something new came
  };

  Saturation(std::pmr::memory_resource& memory, const CoverTables& tables);
  Saturation(const Saturation&) = delete;
  Saturation& operator=(const Saturation&) = delete;

  // Execution `run`, from 0, has the tasks of `set`. Yields how many of them are new.
  // Has an execution that was counted covered this task?
  [[nodiscard]] bool has_seen(std::uint32_t task) const { return task < known_ && seen_[task] != 0; }
  std::uint32_t add(std::uint32_t run, std::uint32_t set);
  // From the executions in the tables.
  void count_again();

  [[nodiscard]] const OfMetric& of(MetricId metric) const { return metrics_[static_cast<std::size_t>(metric)]; }
  // All of `metrics`. The bound is looked at now and then only, since each look is a chance to err.
  [[nodiscard]] bool reached(std::uint32_t metrics, StoppingRule rule, double chance) const;

 private:
  static constexpr std::size_t kMetrics = static_cast<std::size_t>(MetricId::kCount);
  static constexpr std::uint32_t kLeastShoulder = 50;

  void count_task(std::uint32_t task, std::uint32_t run);

  const CoverTables& tables_;
  std::uint8_t* seen_;       // by task: 0, 1, 2, or more often
  std::uint32_t* first_;     // by task: the execution that had it first
  PlaceMap sets_;            // set + 1 -> how often, up to 3
  PlaceMap singles_;         // execution << 8 | metric -> number of tasks that are its alone
  std::uint32_t known_ = 0;  // tasks that seen_ knows
  std::uint32_t runs_ = 0;
  std::uint32_t fresh_ = 0;
  OfMetric metrics_[kMetrics] = {};
};

}  // namespace ravel
