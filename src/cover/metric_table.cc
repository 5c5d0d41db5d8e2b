// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cover/metric_table.h"

#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

using enum MetricId;
constexpr auto kTrace = TotalKnownBy::kReduction;
constexpr auto kSchedule = TotalKnownBy::kEverySchedule;

// In the order of MetricId; names as strategies know them (kMetricNames).
// clang-format off
constexpr MetricRow kRows[] = {
    {kAvio, "avio", "pl1 pl2 pl3", "two accesses of a thread to a variable and the last foreign one between them", kSchedule, false, true, true},
    {kAvioStar, "avio*", "pl1 pl2 pl3 var t1 t2", "the same, with variable and threads", kSchedule, true, true, true},
    {kEraser, "eraser", "pl1 state lockset", "an access with the state and the candidate locks of its variable", kSchedule, false, true, false},
    {kEraserStar, "eraser*", "pl1 var state lockset t1", "the same, with variable and thread", kSchedule, false, true, false},
    {kGoldiLock, "goldilock", "pl1 set", "an access with what proves it free of races", kSchedule, true, true, true},
    {kGoldiLockStar, "goldilock*", "pl1 var set t1", "the same, with variable and thread", kSchedule, false, true, true},
    {kGoodLock, "goodlock", "pl1 pl2 l1 l2", "a lock taken while another one is held", kTrace, false, false, true},
    {kGoodLockStar, "goodlock*", "pl1 pl2 l1 l2 t1", "the same, with the thread", kTrace, false, false, true},
    {kHbPair, "hbpair", "pl1 pl2 object", "a release and the acquisition in another thread that it orders", kTrace, false, false, true},
    {kHbPairStar, "hbpair*", "pl1 pl2 object t1 t2", "the same, with the threads", kTrace, true, false, true},
    {kDuPairs, "dupairs", "pl1 pl2 var", "a plain read and the write that it saw", kTrace, false, true, true},
    {kDuPairsStar, "dupairs*", "pl1 pl2 var t1 t2", "the same, with the threads", kTrace, false, true, true},
    {kGoldiLockSc, "goldilocksc", "pl1 state", "an access with the step that decided: SCT, SCL, LS or E (a race)", kTrace, false, true, true},
    {kConcurPairs, "concurpairs", "pl1 pl2 switch", "two events in a row, and whether the thread changed between them", kSchedule, false, true, false},
    {kSync, "sync", "pl1 mode", "a synchronisation operation and what happened at it: visited, blocked, ...", kSchedule, true, false, true},
    {kDriving, "driving", "t1 pl1 t2 pl2", "an access or lock of one thread followed by that of another", kSchedule, false, true, false},
    {kReadsFrom, "rf", "pl1 pl2", "a read and the place of the write that it saw, atomics included", kTrace, true, true, true},
    {kInterrupt, "interrupt", "function by", "a function that was interrupted: no, by the same function, by another", kSchedule, false, true, false},
    {kPlace, "place", "pl1", "a place that was executed: a flat baseline", kSchedule, false, true, true},
    {kConflict, "conflict", "pl1 pl2 kind", "two operations of different threads that only scheduling orders", kSchedule, false, true, false},
};
// clang-format on
static_assert(sizeof(kRows) / sizeof(kRows[0]) == static_cast<std::size_t>(kCount));

struct Maker {
  std::uint32_t metrics;
  Metric* (*create)(std::pmr::memory_resource& memory, const CoverServices& services);
};
constexpr Maker kMakers[] = {
    {metric_bit(kAvio) | metric_bit(kAvioStar), create_avio},
    {metric_bit(kEraser) | metric_bit(kEraserStar), create_eraser_metric},
    {metric_bit(kGoldiLock) | metric_bit(kGoldiLockStar) | metric_bit(kGoldiLockSc), create_goldilock},
    {metric_bit(kGoodLock) | metric_bit(kGoodLockStar), create_goodlock},
    {metric_bit(kHbPair) | metric_bit(kHbPairStar), create_hbpair},
    {metric_bit(kDuPairs) | metric_bit(kDuPairsStar), create_dupairs},
    {metric_bit(kConcurPairs), create_concurpairs},
    {metric_bit(kSync), create_sync_modes},
    {metric_bit(kDriving), create_driving},
    {metric_bit(kReadsFrom), create_reads_from},
    {metric_bit(kInterrupt), create_interrupt},
    {metric_bit(kPlace), create_places},
    {metric_bit(kConflict), create_conflict},
};
static_assert(sizeof(kMakers) / sizeof(kMakers[0]) <= kMostMetricObjects);

}  // namespace

std::span<const MetricRow> metric_table() {
  return kRows;
}

std::uint32_t default_metrics() {
  std::uint32_t bits = 0;
  for (const MetricRow& row : kRows) bits |= row.in_default ? metric_bit(row.id) : 0;
  return bits;
}

bool need_accesses(std::uint32_t metrics) {
  for (const MetricRow& row : kRows) {
    if (row.needs_accesses && (metrics & metric_bit(row.id)) != 0) return true;
  }
  return false;
}

bool work_in_bursts(std::uint32_t metrics) {
  for (const MetricRow& row : kRows) {
    if (!row.in_bursts && (metrics & metric_bit(row.id)) != 0) return false;
  }
  return true;
}

std::optional<std::uint32_t> parse_metrics(std::string_view list, std::string_view& wrong) {
  std::uint32_t bits = 0;
  for (;;) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    std::uint32_t found = name == "all" ? kAllMetrics : name == "default" ? default_metrics() : 0;
    for (const MetricRow& row : kRows) found |= row.name == name ? metric_bit(row.id) : 0;
    if (found == 0) {
      wrong = name;
      return std::nullopt;
    }
    bits |= found;
    if (comma == std::string_view::npos) return bits;
    list.remove_prefix(comma + 1);
  }
}

MetricList make_metrics(std::pmr::memory_resource& memory, std::uint32_t metrics, const CoverServices& services) {
  MetricList list;
  for (const Maker& maker : kMakers) {
    if ((maker.metrics & metrics) != 0) list.metric[list.count++] = maker.create(memory, services);
  }
  return list;
}

}  // namespace ravel
