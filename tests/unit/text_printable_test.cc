// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/printable.h"

#include <gtest/gtest.h>

#include "model/text/policy_text.h"
#include "model/text/words.h"

namespace ravel {
namespace {

TEST(Printable, RemovesEscapeSequences) {
  EXPECT_EQ(printable_text("a\x1b[31mred\x1b[0mb"), "aredb");
  EXPECT_EQ(printable_text("\x1b]0;title\x07text"), "text");
  EXPECT_EQ(printable_text("\x1b]0;title\x1b\\text"), "text");
  EXPECT_EQ(printable_text("\x1bPdevice\x1b\\x"), "x");
  EXPECT_EQ(printable_text("\x1b[2J\x1b[Hhome"), "home");
  EXPECT_EQ(printable_text("end\x1b"), "end");
  EXPECT_EQ(printable_text("end\x1b["), "end");
}

TEST(Printable, RemovesOtherControls) {
  EXPECT_EQ(printable_text("a\rb\bc\x7f"), "abc");
  EXPECT_EQ(printable_text("\xc2\x9b"
                           "31mx"),
            "31mx");  // CSI as one character
  EXPECT_EQ(printable_text("caf\xc3\xa9"), "caf\xc3\xa9");
}

TEST(Printable, ReplacesWhatIsNoText) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(printable_text("a\xff\x9b"
                           "31m"),
            "a" + mark + mark + "31m");                           // CSI as one byte
  EXPECT_EQ(printable_text("\xe2\x82"), mark + mark);             // cut off
  EXPECT_EQ(printable_text("\xed\xa0\x80"), mark + mark + mark);  // half of a pair
  EXPECT_EQ(printable_text("\xc0\xaf"), mark + mark);             // longer than need be
  EXPECT_EQ(printable_text("\xf0\x9f\x99\x82"), "\xf0\x9f\x99\x82");
}

TEST(Printable, TextRunsOneWay) {
  EXPECT_EQ(printable_text("a\u202eb\u2066c"), "abc");
  EXPECT_EQ(printable_line("a\u2028b"), "a b");
}

TEST(Printable, KeepsLinesOnlyWhereTheyAreWanted) {
  EXPECT_EQ(printable_text("a\n\tb"), "a\n\tb");
  EXPECT_EQ(printable_line("a\n\tb"), "a  b");
}

TEST(Words, QuotesProtectAnything) {
  const std::string nasty = "a \"b\" \\ \n \x01 # c";
  const auto words = split_words("key " + quote(nasty) + " 7 # comment");
  ASSERT_TRUE(words);
  ASSERT_EQ(words->size(), 3u);
  EXPECT_EQ((*words)[1].text, nasty);
  EXPECT_TRUE((*words)[1].quoted);
  EXPECT_FALSE(split_words("\"open"));
  EXPECT_FALSE(split_words("\"bad \\q\""));
  EXPECT_FALSE(split_words("\"a\"b"));
}

TEST(Words, NumbersAreWhole) {
  EXPECT_EQ(number_of<std::uint32_t>("4294967295"), 4294967295u);
  EXPECT_FALSE(number_of<std::uint32_t>("4294967296"));
  EXPECT_EQ(number_of<std::uint64_t>("0xff"), 255u);
  for (const char* bad : {"", "0x", "1x", "-1", " 1", "+1"}) EXPECT_FALSE(number_of<std::uint64_t>(bad)) << bad;
}

TEST(PolicyText, RoundTripAndErrors) {
  PolicySpec policy;
  policy.kind = PolicyKind::kPreempt;
  policy.seed = 3;
  policy.switches = 2;
  policy.forced[0] = {12, 1};
  policy.forced[1] = {20, 0};
  EXPECT_EQ(policy_text(policy), "preempt,seed=3,switch=12:1,switch=20:0");
  const auto again = parse_policy(policy_text(policy));
  ASSERT_TRUE(again);
  EXPECT_EQ(policy_text(*again), policy_text(policy));
  const std::string noise = "noise,seed=5,at=77:78,noise=synchYield:var-one+other:150:7:1";
  const auto disturbed = parse_policy(noise);
  ASSERT_TRUE(disturbed);
  EXPECT_EQ(disturbed->noise.strength, 7u);
  EXPECT_EQ(policy_text(*disturbed), noise);
  for (const char* bad : {"noise,noise=yield", "noise,noise=nap:sync:1:1:0", "noise,noise=yield:sync:1001:1:0",
                          "noise,noise=yield:sync:1:1:0:0"}) {
    EXPECT_FALSE(parse_policy(bad)) << bad;
  }
  EXPECT_TRUE(parse_policy("random"));
  for (const char* bad : {"", "rondom", "random,", "random,seed", "random,seed=x", "pct,depth=0", "random,seed=1,",
                          "preempt,switch=1:1,switch=1:1,switch=1:1,switch=1:1,switch=1:1"}) {
    EXPECT_FALSE(parse_policy(bad)) << bad;
  }
}

}  // namespace
}  // namespace ravel
