// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Metrics on traces with holes: what a trace yields of which some accesses are missing, the whole trace yields too.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "cover/metric_table.h"
#include "report/coverage_text.h"
#include "report/trace_coverage.h"

namespace ravel {
namespace {

using Lines = std::vector<std::string>;

std::uint32_t metrics_in_bursts() {
  std::uint32_t bits = 0;
  for (const MetricRow& row : metric_table()) bits |= row.in_bursts ? metric_bit(row.id) : 0;
  return bits;
}

Trace parsed(const std::string& text) {
  const auto trace = parse_trace("main create T1 @ m:1\nmain create T2 @ m:2\nmain create T3 @ m:3\n" + text);
  EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().text());
  return trace ? *trace : empty_trace();
}

std::string random_trace(Random& random) {
  const char* const names[] = {"x", "x+4", "y"};
  std::string text;
  bool holds[4] = {};
  std::uint64_t owner = 0;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t thread = 1 + random.below(3);
    const std::string who = "T" + std::to_string(thread);
    const std::string place =
        " @ " + std::string(1, static_cast<char>('a' + thread)) + ":" + std::to_string(random.below(4) + 1) + "\n";
    const std::uint64_t what = random.below(12);
    if (what == 0 && owner == 0) {
      text += who + " lock m" + place;
      owner = thread;
      holds[thread] = true;
    } else if (what <= 2 && holds[thread]) {
      text += who + " unlock m" + place;
      owner = 0;
      holds[thread] = false;
    } else if (what == 3) {
      text += who + (random.below(2) == 0 ? " store v 4" : " load v 4") + place;
    } else if (what == 4) {
      text += who + (random.below(2) == 0 ? " write x 32" : " read x 32") + place;
    } else {
      text += who + (random.below(2) == 0 ? " write " : " read ") + names[random.below(3)] + " 4" + place;
    }
  }
  return text;
}

// Some thread's accesses among some of the events are gone.
Trace with_hole(const Trace& whole, std::vector<TraceHole>& holes, Random& random) {
  Trace trace = whole;
  trace.events.clear();
  const std::size_t count = whole.events.size();
  std::size_t from = random.below(count);
  std::size_t until = std::min(count, from + 1 + random.below(20));
  const std::uint64_t thread = 1 + random.below(3);
  TraceHole hole;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == from) hole.first = trace.events.size();
    const Event& e = whole.events[i];
    const bool missing = i >= from && i < until && op_class(e.kind) == OpClass::kPlain && e.thread.number() == thread;
    if (!missing) trace.events.push_back(e);
    if (i + 1 == until) hole.last = trace.events.size();
  }
  holes = {hole};
  return trace;
}

Lines sorted_tasks(const TaskCoverage& coverage) {
  Lines lines = task_lines(coverage);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(CoverageGap, NothingIsSeenThatTheWholeTraceDoesNotHave) {
  Random random(7);
  std::size_t kept = 0;
  for (int i = 0; i < 400; ++i) {
    const Trace whole = parsed(random_trace(random));
    std::vector<TraceHole> holes;
    const Trace trace = with_hole(whole, holes, random);
    const Lines all = sorted_tasks(coverage_of(whole, metrics_in_bursts()));
    const Lines some = sorted_tasks(coverage_of(trace, metrics_in_bursts(), holes));
    Lines invented;
    std::set_difference(some.begin(), some.end(), all.begin(), all.end(), std::back_inserter(invented));
    ASSERT_EQ(invented, Lines{}) << print_trace(whole) << "hole " << holes[0].first << " " << holes[0].last;
    kept += some.size();
  }
  EXPECT_GT(kept, 400u * 20);
}

TEST(CoverageGap, WhatIsBeforeAHoleIsForgottenAndWhatIsInItLeftOut) {
  const Trace trace = parsed(
      "T1 read x 4 @ a:1\nT2 write x 4 @ b:1\nT1 read x 4 @ a:2\n"
      "T1 write x 4 @ a:3\nT2 write x 4 @ b:2\nT1 read x 4 @ a:4\n");
  const std::uint32_t avio = metric_bit(MetricId::kAvio);
  const TraceHole before[] = {{6, 6}};
  EXPECT_EQ(task_lines(coverage_of(trace, avio, before)), (Lines{"avio a:1 a:2 b:1", "avio a:3 a:4 b:2"}));
  const TraceHole inside[] = {{4, 5}};
  EXPECT_EQ(task_lines(coverage_of(trace, avio, inside)), (Lines{"avio a:3 a:4 b:2"}));
}

// A read after a hole may have seen a write in it; after the next write all is known again.
TEST(CoverageGap, ReadsFromIsKnownAgainFromTheNextWriteOn) {
  const Trace trace = parsed("T1 write x 4 @ a:1\nT2 read x 4 @ b:1\nT1 write x 4 @ a:2\nT2 read x 4 @ b:2\n");
  const TraceHole holes[] = {{4, 4}};
  EXPECT_EQ(task_lines(coverage_of(trace, metric_bit(MetricId::kReadsFrom), holes)), (Lines{"rf a:2 b:2"}));
}

TEST(CoverageGap, OnlyMetricsThatKnowGapsAreLoggedInBursts) {
  EXPECT_TRUE(work_in_bursts(default_metrics()));
  EXPECT_FALSE(work_in_bursts(default_metrics() | metric_bit(MetricId::kEraser)));
}

}  // namespace
}  // namespace ravel
