// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts as a file: what is written is read again, what is damaged is refused and never crashes. Warnings on facts made
// by hand.
#include <gtest/gtest.h>

#include <random>

#include "statics/compile_record.h"
#include "statics/facts_file.h"
#include "statics/warnings.h"

namespace ravel {
namespace {

Site site(unsigned thread_class, SiteKind kind, unsigned line, std::vector<std::string> objects,
          std::vector<std::string> locks) {
  return {thread_class, kind, {"a.cpp", line, 3}, {}, {}, "f", std::move(objects), std::move(locks)};
}

// T1 takes a then b, T2 takes b then a; both write x under nothing.
Facts two_locks() {
  Facts facts;
  facts.build_id = "0123";
  facts.sources = {{"/a.cpp", 0xffffffffffffffffull}};
  facts.opaque = {"b.cpp: \"quoted\"\n"};
  facts.classes = {{"main", "main", {}, {}, false, {}},
                   {"T1", "f", {"a.cpp", 1, 2}, {}, false, {0}},
                   {"T2", "g", {"a.cpp", 2, 2}, {}, true, {0}, true}};
  facts.sites = {site(1, SiteKind::kLock, 10, {"a"}, {}),  site(1, SiteKind::kLock, 11, {"b"}, {"a"}),
                 site(2, SiteKind::kLock, 20, {"b"}, {}),  site(2, SiteKind::kLock, 21, {"a"}, {"b"}),
                 site(1, SiteKind::kWrite, 30, {"x"}, {}), site(2, SiteKind::kAtomicWrite, 31, {"x"}, {})};
  facts.pairs = {{PairKind::kMM, 0, 3, true, "a"}, {PairKind::kMM, 1, 2, true, "b"}, {PairKind::kRW, 4, 5, false, "x"}};
  facts.warnings = {{"race", "x", {4, 5}}};
  facts.targets = {{"assert", {"a.cpp", 40, 1}, "f"}};
  facts.sites[4].inside = {{"/usr/include/vector", 7, 1}};
  facts.graph.functions = {{"main", 0}, {"f", 1}};
  facts.graph.nodes.resize(2);
  facts.graph.nodes[0].place = {"a.cpp", 30, 3};
  facts.graph.nodes[0].starts = {1};
  facts.graph.nodes[1].function = 1;
  facts.graph.nodes[1].leaves = true;
  facts.graph.nodes[1].control = {{0, 1}};
  facts.graph.nodes[1].reads = {0};
  facts.graph.nodes[1].condition = "x > 6";
  facts.graph.memory = {{"x", 3, -4, 8, true}};
  facts.graph.entries = {{0}, {1}, {1}};
  return facts;
}

TEST(FactsFile, IsReadAsItWasWritten) {
  const std::string text = facts_to_text(two_locks());
  const auto read = facts_from_text(text, "x");
  ASSERT_TRUE(read.has_value()) << read.error().line();
  EXPECT_EQ(facts_to_text(*read), text);
  EXPECT_EQ(read->sources[0].hash, 0xffffffffffffffffull);
  EXPECT_TRUE(read->partial());
  EXPECT_EQ(read->pairs[0].second, 5u);  // in order: RW before MM
}

TEST(FactsFile, RefusesWhatDoesNotFit) {
  const std::string good = facts_to_text(two_locks());
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return !facts_from_text(text, "x").has_value();
  };
  EXPECT_TRUE(refused("\"version\": 3", "\"version\": 2"));
  EXPECT_TRUE(refused("\"second\":[5]", "\"second\":[6]"));
  EXPECT_TRUE(refused("\"starts\":[1]", "\"starts\":[2]"));
  EXPECT_TRUE(refused("\"reads\":[0]", "\"reads\":[1]"));
  EXPECT_TRUE(refused("\"control\":[[0,1]]", "\"control\":[[2,1]]"));
  EXPECT_TRUE(refused("\"control\":[[0,1]]", "\"control\":[[0]]"));
  EXPECT_TRUE(refused("\"entries\":[[0],[1],[1]]", "\"entries\":[[0],[1]]"));
  EXPECT_TRUE(refused("\"entry\":1", "\"entry\":2"));
  EXPECT_TRUE(refused("\"second\":[5]", "\"second\":[-1]"));
  EXPECT_TRUE(refused("\"class\": 1", "\"class\": 3"));
  EXPECT_TRUE(refused("\"class\": 1", "\"class\": \"1\""));
  EXPECT_TRUE(refused("\"kind\":\"MM\"", "\"kind\":\"XX\""));
  EXPECT_TRUE(refused("\"must\":true", "\"must\":1"));
  EXPECT_TRUE(refused("\"pairs\"", "\"pear\""));
  EXPECT_FALSE(facts_from_text("", "x").has_value());
  EXPECT_FALSE(facts_from_text("[]", "x").has_value());
}

// Every damaged text is refused or gives facts whose indices are in range.
TEST(FactsFile, SurvivesDamage) {
  const std::string good = facts_to_text(two_locks());
  std::mt19937 random(7);
  unsigned accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = good;
    for (unsigned i = 0; i <= random() % 4; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
    }
    const auto facts = facts_from_text(text, "x");
    if (!facts) continue;
    ++accepted;
    for (const Site& one : facts->sites) ASSERT_LT(one.thread_class, facts->classes.size());
    for (const SitePair& pair : facts->pairs) ASSERT_LT(std::max(pair.first, pair.second), facts->sites.size());
    for (const StaticWarning& warning : facts->warnings) {
      for (const unsigned one : warning.sites) ASSERT_LT(one, facts->sites.size());
    }
  }
  EXPECT_GT(accepted, 0u);
}

TEST(StaticWarnings, RacesAndCircles) {
  const Facts facts = two_locks();
  ASSERT_EQ(race_warnings(facts).size(), 1u);
  const auto circles = lock_order_warnings(facts);
  ASSERT_EQ(circles.size(), 1u);
  EXPECT_EQ(circles[0].text, "a before b before a");
  EXPECT_EQ(circles[0].sites, (std::vector<unsigned>{1, 3}));
}

TEST(StaticWarnings, BothAtomicIsNoRace) {
  Facts facts = two_locks();
  facts.sites[4].kind = SiteKind::kAtomicRead;
  EXPECT_TRUE(race_warnings(facts).empty());
}

TEST(StaticWarnings, AGateOrOneThreadAloneIsNoCircle) {
  Facts gate = two_locks();
  gate.sites[1].locks.push_back("gate");
  gate.sites[3].locks.push_back("gate");
  EXPECT_TRUE(lock_order_warnings(gate).empty());
  Facts alone = two_locks();
  for (Site& one : alone.sites) one.thread_class = 1;
  EXPECT_TRUE(lock_order_warnings(alone).empty());
  Facts ordered = two_locks();
  ordered.pairs.resize(0);
  EXPECT_TRUE(lock_order_warnings(ordered).empty());
}

TEST(CompileRecord, LinesAreReadBackAndNoiseIsSkipped) {
  const CompileCommand command{"/w", "g++", "a b.cpp", {"-DX=\"y\"", "-I", "in\nc"}, "c++", 42};
  const std::string line = line_of(command);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto read =
      parse_compile_lines(std::string("junk\n") + std::string(3, '\0') + line + "{\"folder\":1}\n" + line);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].arguments, command.arguments);
  EXPECT_EQ(read[0].source_hash, 42u);
}

}  // namespace
}  // namespace ravel
