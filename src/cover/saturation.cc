// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cover/saturation.h"

namespace ravel {

// The tail is a sum of few terms in the cases that matter. Without libm: powers by squaring; where the first term is
// too small for a double, Chernoff's bound decides, which is on the safe side.
bool chance_is_below(std::uint64_t successes, std::uint64_t n, double p) {
  constexpr double kError = 0.05;
  const double mean = static_cast<double>(n) * p;
  const auto k = static_cast<double>(successes);
  if (k >= mean) return false;
  if (mean > 500) return (mean - k) * (mean - k) >= 2 * 3.0 * mean;  // exp(-(mean-k)^2 / 2mean) <= 1/20
  double term = 1;
  double power = 1 - p;
  for (std::uint64_t rest = n; rest != 0; rest >>= 1, power *= power) {
    if ((rest & 1) != 0) term *= power;
  }
  double tail = 0;
  for (std::uint64_t i = 0; i <= successes; ++i) {
    tail += term;
    if (tail > kError) return false;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1) * (p / (1 - p));
  }
  return true;
}

bool news_is_below(std::uint64_t only_runs, std::uint64_t twice, std::uint64_t n, double p) {
  if (!chance_is_below(only_runs, n, p)) return false;
  if (twice == 0) return true;
  constexpr double kQuantile2 = 1.645 * 1.645;
  const double room = static_cast<double>(n) * p - static_cast<double>(only_runs) - 1.5;
  return room >= 0 && room * room >= kQuantile2 * static_cast<double>(only_runs + 2 * twice);
}

Saturation::Saturation(std::pmr::memory_resource& memory, const CoverTables& tables)
    : tables_(tables),
      seen_(static_cast<std::uint8_t*>(memory.allocate(tables.memory().capacity.tasks, 16))),
      first_(static_cast<std::uint32_t*>(
          memory.allocate(sizeof(std::uint32_t) * tables.memory().capacity.tasks, alignof(std::uint32_t)))),
      sets_(memory, 1u << 8, 1u << 21),
      singles_(memory, 1u << 8, 1u << 21) {
  count_again();
}

void Saturation::count_again() {
  known_ = runs_ = 0;
  sets_.clear();
  singles_.clear();
  for (OfMetric& metric : metrics_) metric = {};
  for (std::uint32_t i = 0; i < tables_.counts().runs; ++i) add(i, tables_.memory().runs[i] & ~kFailedRun);
}

void Saturation::count_task(std::uint32_t task, std::uint32_t run) {
  for (; known_ <= task; ++known_) seen_[known_] = 0;
  if (seen_[task] >= 3) return;
  const auto id = static_cast<std::uint64_t>(tables_.memory().tasks[task].metric);
  if (id >= kMetrics) return;
  OfMetric& metric = metrics_[id];
  if (seen_[task]++ == 0) {
    first_[task] = run;
    ++fresh_;
    ++metric.tasks;
    if (metric.last_new != 0 && run - metric.last_new > metric.longest_shoulder) {
      metric.longest_shoulder = run - metric.last_new;
    }
    metric.last_new = run + 1;
    std::uint32_t* own = singles_.claim(std::uint64_t{run} << 8 | id);
    if (own != nullptr && (*own)++ == 0) ++metric.singles;
    return;
  }
  if (seen_[task] == 3) {
    --metric.twice;
    return;
  }
  ++metric.twice;
  std::uint32_t* own = singles_.claim(std::uint64_t{first_[task]} << 8 | id);
  if (own != nullptr && *own != 0 && --*own == 0) --metric.singles;
}

std::uint32_t Saturation::add(std::uint32_t run, std::uint32_t set) {
  ++runs_;
  fresh_ = 0;
  std::uint32_t* times = sets_.claim(std::uint64_t{set} + 1);
  if (times != nullptr && *times >= 3) return 0;
  if (times != nullptr) ++*times;
  const std::uint32_t* words = tables_.memory().run_words + set;
  for (std::uint32_t i = 0; i < words[0]; ++i) count_task(words[1 + i], run);
  return fresh_;
}

bool Saturation::reached(std::uint32_t metrics, StoppingRule rule, double chance) const {
  if (rule == StoppingRule::kNever || runs_ == 0) return false;
  std::uint32_t step = 1;  // an eighth of the number of executions, as a power of two
  while (step * 16 <= runs_) step *= 2;
  if (rule == StoppingRule::kBound && runs_ % step != 0) return false;
  for (std::size_t i = 0; i < kMetrics; ++i) {
    if ((metrics >> i & 1) == 0) continue;
    const OfMetric& metric = metrics_[i];
    const std::uint32_t shoulder = runs_ - metric.last_new;
    const bool enough = rule == StoppingRule::kBound
                            ? news_is_below(metric.singles, metric.twice, runs_, chance)
                            : shoulder >= kLeastShoulder && shoulder >= 2 * metric.longest_shoulder;
    if (!enough) return false;
  }
  return true;
}

}  // namespace ravel
