// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What formats stand on: arrows, lock spans, timelines, escaping, the list of --format. The formats themselves are
// compared and validated in tests/golden.
#include "report/formats/format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory_resource>
#include <set>

#include "causality/causality.h"
#include "model/text/trace_text.h"
#include "report/formats/escape.h"
#include "report/formats/rules.h"
#include "report/lock_spans.h"
#include "report/order_edges.h"
#include "report/timeline.h"
#include "report/trace_import.h"
#include "support/random_trace.h"

namespace ravel {
namespace {

using EventSet = std::set<std::uint32_t>;

// All events before each event, by program order and the arrows alone.
std::vector<EventSet> closure(const std::vector<Event>& events, const std::vector<OrderEdge>& edges) {
  std::vector<EventSet> before(events.size());
  std::map<ThreadIndex, std::uint32_t> last;
  std::size_t edge = 0;
  const auto add = [&](std::uint32_t to, std::uint32_t from) {
    before[to].insert(before[from].begin(), before[from].end());
    before[to].insert(from);
  };
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (const auto own = last.find(events[i].thread); own != last.end()) add(i, own->second);
    for (; edge < edges.size() && edges[edge].to == i; ++edge) {
      if (!edges[edge].wakes) add(i, edges[edge].from);
    }
    last[events[i].thread] = i;
  }
  return before;
}

// Arrows and program order together are happens-before: no more and no less, for every pair of accesses.
TEST(OrderEdges, AreHappensBefore) {
  std::size_t arrows = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::vector<Event> events = testing::random_trace(seed, 120);
    const OrderEdges order = order_edges(events);
    ASSERT_TRUE(order.exact);
    arrows += order.edges.size();
    const std::vector<EventSet> before = closure(events, order.edges);
    std::pmr::monotonic_buffer_resource memory;
    CausalityOptions options;
    options.max_threads = 64;
    options.max_clock_nodes = 1u << 12;
    options.max_sync_places = 1u << 10;
    Causality causality(memory, options);
    std::vector<Epoch> epochs(events.size());
    for (std::uint32_t j = 0; j < events.size(); ++j) {
      epochs[j] = causality.on_event(events[j]);
      if (op_class(events[j].kind) != OpClass::kPlain) continue;
      for (std::uint32_t i = 0; i < j; ++i) {
        if (op_class(events[i].kind) != OpClass::kPlain) continue;
        ASSERT_EQ(before[j].count(i) != 0, causality.ordered(epochs[i], events[j].thread))
            << "seed " << seed << ": events " << i << " and " << j;
      }
    }
  }
  EXPECT_GT(arrows, 1000u);
}

// No arrow says what the others say already.
TEST(OrderEdges, AreNotRedundant) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::vector<Event> events = testing::random_trace(seed, 100);
    std::vector<OrderEdge> edges = order_edges(events).edges;
    const std::vector<EventSet> before = closure(events, edges);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (edges[k].wakes) continue;
      EXPECT_NE(events[edges[k].from].thread, events[edges[k].to].thread);
      std::vector<OrderEdge> fewer = edges;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      EXPECT_FALSE(closure(events, fewer)[edges[k].to].count(edges[k].from)) << "seed " << seed << " arrow " << k;
    }
  }
}

std::vector<Event> events_of(const std::string& text) {
  auto trace = parse_trace(text);
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().text());
  return trace ? trace->events : std::vector<Event>{};
}

TEST(OrderEdges, GoFromTheUnlockToTheLock) {
  const auto events = events_of(
      "main create T1\nmain lock m\nmain write x 4\nmain unlock m\nmain write y 4\nmain lock n\nT1 lock m\nT1 read x "
      "4\n");
  const auto edges = order_edges(events).edges;
  ASSERT_EQ(edges.size(), 1u);  // the creation is part of the same knowledge
  EXPECT_EQ(edges[0].from, 3u);
  EXPECT_EQ(edges[0].to, 6u);
}

TEST(LockSpans, WaitsGiveTheMutexBack) {
  const auto events = events_of(
      "main create T1\n"
      "T1 lock m\n"
      "T1 wait c releasing m\n"
      "main lock m\n"
      "main signal c wakes T1\n"
      "main unlock m\n"
      "T1 reacquire c releasing m\n");
  const auto spans = lock_spans(events);
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0].thread, 1u);
  EXPECT_EQ(spans[0].to, 2u);
  EXPECT_EQ(spans[1].from, 3u);
  EXPECT_EQ(spans[1].to, 5u);
  EXPECT_EQ(spans[2].from, 6u);
  EXPECT_EQ(spans[2].to, events.size());  // held to the end
  EXPECT_EQ(spans[0].place, spans[2].place);
}

TEST(LockSpans, ReadersShareAndFailedTriesHoldNothing) {
  const auto spans = lock_spans(events_of("main rdlock r\nmain trylock m failed\nmain rwunlock r\nmain unlock m\n"));
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_TRUE(spans[0].shared);
  EXPECT_EQ(spans[0].to, 2u);
}

TEST(Timeline, HoldsEveryEventOnce) {
  auto trace = parse_trace("main write x 4 @ a.cpp:1\nmain create T1 @ a.cpp:2\nT1 read x 4 = 5 @ a.cpp:3\nT1 end\n");
  ASSERT_TRUE(trace);
  Symbolizer symbolizer;
  const ExecutionRecord record = record_of(*trace, symbolizer);
  Names names(record, symbolizer);
  const auto line = make_timeline(names);
  ASSERT_EQ(line->events.size(), 4u);
  EXPECT_EQ(line->values[line->events[0].value], "= 5");  // what the next reader saw
  EXPECT_EQ(line->values[line->events[2].value], "-> 5");
  EXPECT_EQ(line->objects[line->events[0].object], "x");
  EXPECT_EQ(line->events[0].object, line->events[2].object);
  EXPECT_EQ(line->places[line->events[2].place].line, 3u);
  EXPECT_FALSE(line->events[2].quiet);
  EXPECT_TRUE(line->events[3].quiet);
  EXPECT_TRUE(line->files[0].lines.empty());  // there is no such file here
}

std::string problem_of(const std::string& list) {
  const auto parsed = parse_formats(list);
  return parsed ? "" : parsed.error().line();
}

TEST(Formats, TheListIsCheckedAsAWhole) {
  const auto parsed = parse_formats("console,html=a b.html,github,json=-");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->size(), 4u);
  EXPECT_EQ((*parsed)[1].file, "a b.html");
  EXPECT_EQ((*parsed)[2].file, "-");
  EXPECT_NE(problem_of("htm=x").find("one of console, html"), std::string::npos);
  EXPECT_NE(problem_of("html").find("html=FILE"), std::string::npos);
  EXPECT_NE(problem_of("html=").find("html=FILE"), std::string::npos);
  EXPECT_NE(problem_of("console=x").find("takes no file"), std::string::npos);
  EXPECT_NE(problem_of("html=x,sarif=x").find("twice"), std::string::npos);
  EXPECT_NE(problem_of("html=x,html=y").find("twice"), std::string::npos);
  EXPECT_NE(problem_of(""), "");
  EXPECT_NE(problem_of("json=x,"), "");
}

TEST(Rules, EveryDefectHasOne) {
  for (std::size_t i = 0; i < std::size(kOutcomeNames); ++i) {
    const auto kind = static_cast<OutcomeKind>(i);
    if (is_defect(kind)) EXPECT_EQ(rule_of(kind).kind, kind) << kOutcomeNames[i];
  }
}

TEST(Escape, KeepsTextInItsPlace) {
  EXPECT_EQ(xml_escaped("a<b>&\"'\x01\x1b[31m\xff\n"), "a&lt;b&gt;&amp;&quot;&apos;\xef\xbf\xbd\n");
  EXPECT_EQ(xml_escaped("\xef\xbf\xbf!"), "!");
  EXPECT_EQ(github_text("50%\n::error::x"), "50%25%0A::error::x");
  EXPECT_EQ(github_property("a:b,c"), "a%3Ab%2Cc");
  EXPECT_EQ(uri_path("/a b/\"%\xc3\xa9.cpp"), "/a%20b/%22%25%C3%A9.cpp");
  EXPECT_EQ(json_in_html("\"</script><!--&\""), "\"\\u003c/script\\u003e\\u003c!--\\u0026\"");
  EXPECT_EQ(shell_word("a/b.plan"), "a/b.plan");
  EXPECT_EQ(shell_word("it's $x"), "'it'\\''s $x'");
  EXPECT_EQ(shortened("caf\xc3\xa9s", 7), "caf...");
  EXPECT_EQ(shortened("short", 5), "short");
}

}  // namespace
}  // namespace ravel
