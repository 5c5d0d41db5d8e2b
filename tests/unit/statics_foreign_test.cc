// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Readers of other tools' warnings, on short texts as those tools write them and on damaged ones; sequences of places
// as users write them.
#include <gtest/gtest.h>

#include "base/random.h"
#include "statics/sequence.h"
#include "statics/warnings/foreign_warning.h"

namespace ravel {
namespace {

constexpr char kTsan[] = R"(==================
WARNING: ThreadSanitizer: data race (pid=12)
  Write of size 4 at 0x55 by thread T2 (mutexes: write M1):
    #0 std::something /usr/include/c++/12/bits/x.h:7 (prog+0x12)
    #1 careless() /builds/other/src/bank.cpp:26:3 (prog+0x34)

  Previous read of size 4 at 0x55 by thread T1:
    #0 careful() /builds/other/src/bank.cpp:18 (prog+0x56) (BuildId: 01)

  Location is heap block of size 112 at 0x50 allocated by main thread:
    #0 malloc <null> (prog+0x1)
    #1 make_bank() /builds/other/src/bank.cpp:9 (prog+0x3)

  Thread T2 (tid=3) created by main thread at:
    #0 pthread_create <null> (prog+0x1)
    #1 main /builds/other/src/bank.cpp:40 (prog+0x2)

SUMMARY: ThreadSanitizer: data race /builds/other/src/bank.cpp:26:3 in careless()
==================
WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=12)
  Cycle in lock order graph: M0 (0x1) => M1 (0x2) => M0

  Mutex M1 acquired here while holding mutex M0 in thread T1:
    #0 pthread_mutex_lock <null> (prog+0x1)
    #1 forwards() a.cpp:12 (prog+0x2)

  Mutex M0 acquired here while holding mutex M1 in thread T2:
    #0 backwards() a.cpp:22 (prog+0x3)
)";

constexpr char kHelgrind[] = R"(<?xml version="1.0"?>
<valgrindoutput>
<error>
  <unique>0x1</unique>
  <kind>Race</kind>
  <xwhat><text>Possible data race during write of size 4 at 0x1 by thread #3 &amp; more</text></xwhat>
  <stack>
    <frame><ip>0x1</ip><fn>careless()</fn><dir>/src</dir><file>bank.cpp</file><line>26</line></frame>
  </stack>
  <xauxwhat><text>This conflicts with a previous read</text></xauxwhat>
  <stack>
    <frame><ip>0x2</ip><fn>careful()</fn><dir>/src</dir><file>bank.cpp</file><line>18</line></frame>
  </stack>
</error>
</valgrindoutput>
)";

constexpr char kSarif[] = R"({"version": "2.1.0", "runs": [{"results": [
  {"ruleId": "concurrency/data-race", "message": {"text": "a race"},
   "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/my%20bank.cpp"}, "region": {"startLine": 26}}}],
   "relatedLocations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///src/bank.cpp"}, "region": {"startLine": 18}}}]},
  {"message": {"text": "no place"}},
  {"ruleId": "order", "message": {"text": "flow"}, "codeFlows": [{"threadFlows": [
    {"locations": [{"executionOrder": 1, "location": {"physicalLocation": {"artifactLocation": {"uri": "a.cpp"}, "region": {"startLine": 3}}}},
                   {"executionOrder": 3, "location": {"physicalLocation": {"artifactLocation": {"uri": "a.cpp"}, "region": {"startLine": 5}}}}]},
    {"locations": [{"executionOrder": 2, "location": {"physicalLocation": {"artifactLocation": {"uri": "a.cpp"}, "region": {"startLine": 9}}}}]}]}]}
]}]})";

TEST(ForeignWarnings, LogsOfThreadSanitizer) {
  const ForeignWarnings read = read_any_warnings(kTsan);
  EXPECT_EQ(read.format, "ThreadSanitizer");
  ASSERT_EQ(read.warnings.size(), 2u);
  const ForeignWarning& race = read.warnings[0];
  EXPECT_EQ(race.kind, "race");
  ASSERT_EQ(race.stacks.size(), 2u);
  ASSERT_EQ(race.stacks[0].size(), 2u);
  EXPECT_EQ(race.stacks[0][1].line, 26u);
  EXPECT_EQ(race.stacks[0][1].column, 3u);
  ASSERT_EQ(race.stacks[1].size(), 1u);
  EXPECT_EQ(race.stacks[1][0].line, 18u);
  const ForeignWarning& locks = read.warnings[1];
  EXPECT_EQ(locks.kind, "lock order");
  ASSERT_EQ(locks.stacks.size(), 2u);
  EXPECT_EQ(locks.stacks[0][0].line, 12u);
  EXPECT_EQ(locks.stacks[1][0].line, 22u);
}

TEST(ForeignWarnings, XmlOfHelgrind) {
  const ForeignWarnings read = read_any_warnings(kHelgrind);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_TRUE(read.notes.empty());
  EXPECT_EQ(read.warnings[0].kind, "race");
  EXPECT_EQ(read.warnings[0].text, "Possible data race during write of size 4 at 0x1 by thread #3 & more");
  ASSERT_EQ(read.warnings[0].stacks.size(), 2u);
  EXPECT_EQ(read.warnings[0].stacks[0][0].file, "/src/bank.cpp");
  EXPECT_EQ(read.warnings[0].stacks[1][0].line, 18u);
  const std::string_view early(kHelgrind, sizeof kHelgrind - 30);
  EXPECT_FALSE(read_valgrind_xml(early).notes.empty());
}

TEST(ForeignWarnings, ResultsOfSarif) {
  const ForeignWarnings read = read_any_warnings(kSarif);
  ASSERT_EQ(read.warnings.size(), 2u);
  EXPECT_EQ(read.notes.size(), 1u);
  EXPECT_EQ(read.warnings[0].kind, "race");
  EXPECT_EQ(read.warnings[0].stacks[0][0].file, "src/my bank.cpp");
  EXPECT_EQ(read.warnings[0].stacks[1][0].file, "/src/bank.cpp");
  const ForeignWarning& flow = read.warnings[1];
  EXPECT_EQ(flow.result, 2u);
  ASSERT_EQ(flow.flow.size(), 3u);
  EXPECT_EQ(flow.flow[1].first.line, 9u);
  EXPECT_EQ(flow.flow[1].second, 2u);
  EXPECT_EQ(flow.flow[2].first.line, 5u);
}

TEST(ForeignWarnings, ListsOfPlaces) {
  const ForeignWarnings read = read_any_warnings("# mine\na.cpp:3, b.cpp:4\n\nsrc/c.cpp:5:6 with d.cpp:7\nnothing\n");
  ASSERT_EQ(read.warnings.size(), 2u);
  EXPECT_EQ(read.warnings[0].stacks.size(), 2u);
  EXPECT_EQ(read.warnings[1].stacks[1][0].line, 7u);
  EXPECT_EQ(read.notes.size(), 1u);
  EXPECT_TRUE(read_any_warnings(" \n").format.empty());
}

// Bytes changed, cut out and doubled: whatever comes out is within its bounds.
TEST(ForeignWarnings, DamagedFilesDoNoHarm) {
  Random random(5);
  for (const std::string_view whole :
       {std::string_view(kTsan), std::string_view(kHelgrind), std::string_view(kSarif)}) {
    for (int round = 0; round < 3'000; ++round) {
      std::string text(whole);
      for (std::uint64_t changes = random.below(6) + 1; changes != 0 && !text.empty(); --changes) {
        const std::size_t at = random.below(text.size());
        switch (random.below(4)) {
          case 0:
            text[at] = static_cast<char>(random.below(256));
            break;
          case 1:
            text.erase(at, random.below(40));
            break;
          case 2:
            text.insert(at, text.substr(at, random.below(60)));
            break;
          default:
            text.resize(at);
        }
      }
      const ForeignWarnings read = read_any_warnings(text);
      for (const ForeignWarning& warning : read.warnings) {
        ASSERT_LE(warning.stacks.size(), 8u);
        for (const auto& stack : warning.stacks) {
          for (const CodePlace& place : stack) ASSERT_NE(place.line, 0u);
        }
      }
    }
  }
}

TEST(Sequences, PlacesAsUsersWriteThem) {
  const auto read = parse_sequence("queue.cpp:41, src/queue.cpp:88:7#2,Queue::pop+3@B,full");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->size(), 4u);
  EXPECT_EQ((*read)[0].place.line, 41u);
  EXPECT_EQ((*read)[1].place.column, 7u);
  EXPECT_EQ((*read)[1].ordinal, 2u);
  EXPECT_EQ((*read)[2].function, "Queue::pop");
  EXPECT_EQ((*read)[2].place.line, 3u);
  EXPECT_EQ((*read)[2].role, 2u);
  EXPECT_EQ((*read)[3].mark, "full");
  EXPECT_EQ(sequence_text(*read), "queue.cpp:41,src/queue.cpp:88:7#2,Queue::pop+3@B,full");
}

TEST(Sequences, WhatIsNoPlaceIsNamed) {
  for (const char* bad : {"", "a.cpp:3,,b.cpp:4", "a.cpp:x", "a.cpp:3#0", "a.cpp:3#y", "a.cpp:3@Z", "a b"}) {
    const auto read = parse_sequence(bad);
    EXPECT_FALSE(read.has_value()) << bad;
  }
  std::string long_one = "a.cpp:1";
  for (int i = 0; i < 63; ++i) long_one += ",a.cpp:1";
  EXPECT_TRUE(parse_sequence(long_one).has_value());
  EXPECT_FALSE(parse_sequence(long_one + ",a.cpp:1").has_value());
}

}  // namespace
}  // namespace ravel
