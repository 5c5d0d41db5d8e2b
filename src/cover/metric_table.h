// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The metrics by name, with the fields of their tasks.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>

#include "model/coverage.h"

namespace ravel {

class Metric;
struct CoverServices;

// Whether the tasks of a metric are the same for all schedules of one Mazurkiewicz trace: a complete reduced search
// then knows its full coverage.
enum class TotalKnownBy : std::uint8_t { kReduction, kEverySchedule };

struct MetricRow {
  MetricId id;
  std::string_view name;
  std::string_view fields;  // in the order of a task
  std::string_view counts;  // what one task is, for `ravel list`
  TotalKnownBy total;
  bool in_default;
  bool needs_accesses;  // every plain access from the first instruction of main to its last
  bool in_bursts;       // ... or those of short spans of time, with Metric::gap() between them
};

std::span<const MetricRow> metric_table();
inline constexpr std::uint32_t kAllMetrics = (1u << static_cast<unsigned>(MetricId::kCount)) - 1;
std::uint32_t default_metrics();
// Of those in `metrics`, does any need them?
bool need_accesses(std::uint32_t metrics);
// Do all work on bursts?
bool work_in_bursts(std::uint32_t metrics);
// "avio*,sync", "default", "all". nullopt: `wrong` has no row.
std::optional<std::uint32_t> parse_metrics(std::string_view list, std::string_view& wrong);

// Makes what computes the metrics in `metrics`: one object for a metric and its starred form. Calls add() with each.
inline constexpr std::size_t kMostMetricObjects = 13;
struct MetricList {
  Metric* metric[kMostMetricObjects] = {};
  std::uint32_t count = 0;
};
MetricList make_metrics(std::pmr::memory_resource& memory, std::uint32_t metrics, const CoverServices& services);

}  // namespace ravel
