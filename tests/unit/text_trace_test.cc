// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The text form of traces: what a person writes, what comes back, and what is said of mistakes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <string>

#include "model/text/trace_text.h"

namespace ravel {
namespace {

Trace read(const std::string& text) {
  auto parsed = parse_trace(text);
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().text());
  return parsed ? *parsed : empty_trace();
}

TEST(TraceText, WhatAPersonWrites) {
  const Trace t = read(
      "# a comment\n"
      "main create T1   // another\n"
      "\n"
      "T1 lock m @ bank.cpp:12\n"
      "T1 write x+8 4 = 7 chosen\n"
      "main cas q 8 acq_rel failed\n"
      "main load q 8\n"
      "T1 wait c releasing m\n"
      "main signal c wakes T1\n"
      "main signal c\n"
      "main join T1 in #3\n");
  ASSERT_EQ(t.events.size(), 9u);
  ASSERT_EQ(t.threads.size(), 2u);
  EXPECT_EQ(t.threads[1].parent, 0u);
  EXPECT_EQ(t.threads[1].ordinal, 1u);
  EXPECT_EQ(t.events[0].kind, OpKind::kThreadCreate);
  EXPECT_EQ(t.events[0].value, 1u);
  EXPECT_EQ(t.events[1].thread, 1u);
  EXPECT_EQ(t.locations[t.events[1].location - kNamedLocation], "bank.cpp:12");
  EXPECT_EQ(t.object_names[t.events[2].object], "x");
  EXPECT_EQ(t.events[2].offset, 8u);
  EXPECT_EQ(t.events[2].size, 4u);
  EXPECT_EQ(t.events[2].value, 7u);
  EXPECT_EQ(t.events[2].bits, kChosen);
  EXPECT_EQ(t.events[3].bits, __ATOMIC_ACQ_REL | kFailed);
  EXPECT_EQ(t.events[4].order(), __ATOMIC_SEQ_CST);
  EXPECT_EQ(t.events[5].value, place_of(t.events[1]));
  EXPECT_EQ(t.events[6].value, 1u);
  EXPECT_EQ(t.events[7].value, kNoThread);
  EXPECT_EQ(t.events[8].context, 3u);
}

TEST(TraceText, PrintedEventIsOneLine) {
  const Trace t = read("main create A\nA store f+4 4 release = 9 @ q.cpp:3\n");
  EXPECT_EQ(print_event(t, t.events[1]), "A store f+4 4 release = 9 @ q.cpp:3");
}

struct Mistake {
  const char* text;
  std::size_t line;
  std::size_t column;
  const char* says;
};
// For the message of a failure.
void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.line << ':' << mistake.column << ' ' << mistake.says;
}
class Mistakes : public ::testing::TestWithParam<Mistake> {};
TEST_P(Mistakes, AreSaidWithTheirPlace) {
  const auto parsed = parse_trace(GetParam().text);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().line, GetParam().line);
  EXPECT_EQ(parsed.error().column, GetParam().column);
  EXPECT_NE(parsed.error().message.find(GetParam().says), std::string::npos) << parsed.error().message;
}
INSTANTIATE_TEST_SUITE_P(TraceText, Mistakes,
                         ::testing::Values(Mistake{"T1 lock m\n", 1, 1, "expected a thread that was created"},
                                           Mistake{"main frob x\n", 1, 6, "expected an operation, found `frob'"},
                                           Mistake{"main\n", 1, 5, "expected an operation, found the end of the line"},
                                           Mistake{"main read x 70000\n", 1, 13, "at most 16 bits"},
                                           Mistake{"main read x+ 4\n", 1, 11, "an offset"},
                                           Mistake{"\nmain write x 4 =\n", 2, 17, "a value"},
                                           Mistake{"main write x 4 = 99999999999999999999\n", 1, 18, "64 bits"},
                                           Mistake{"main read x y\n", 1, 13, "a size"},
                                           Mistake{"main read x 4 @\n", 1, 16, "a location"},
                                           Mistake{"main read x 4 in 5\n", 1, 18, "a context such as #5"},
                                           Mistake{"main read x 4 @ #4026531840\n", 1, 17, "a location below"},
                                           Mistake{"main join T9\n", 1, 11, "expected a thread"},
                                           Mistake{"main create 9\n", 1, 13, "a name for a thread"},
                                           Mistake{"main read \"\x1b[2J\" 4\n", 1, 11, "found `\".[2J\"'"},
                                           Mistake{"object x heap\nobject x heap\n", 2, 8, "not known yet"},
                                           Mistake{"object x box\n", 1, 10, "a kind of object"},
                                           Mistake{"thread A parent A\n", 1, 18, "older"},
                                           Mistake{"thread A name \"abc\n", 1, 15, "quote"},
                                           Mistake{"thread A name \"12345678901234567890\"\n", 1, 15, "at most 19"},
                                           Mistake{"main create A = 9\n", 1, 18, "a thread as the value"}));

TEST(TraceText, LimitsHold) {
  TraceLimits limits;
  limits.events = 2;
  EXPECT_FALSE(parse_trace("main yield\nmain yield\nmain yield\n", limits).has_value());
  EXPECT_TRUE(parse_trace("main yield\nmain yield\n", limits).has_value());
  limits.threads = 2;
  EXPECT_FALSE(parse_trace("main create A\nmain create B\n", limits).has_value());
  limits.objects = 2;
  EXPECT_FALSE(parse_trace("main lock a\nmain lock b\n", limits).has_value());
  limits.line = 10;
  EXPECT_FALSE(parse_trace("main yield           \n", limits).has_value());
  limits.bytes = 5;
  EXPECT_FALSE(parse_trace("main yield\n", limits).has_value());
}

// Any valid trace: numbers from all over their ranges, names that may need a substitute.
Trace any_trace() {
  Trace t = empty_trace();
  const auto upto = [](std::size_t n) { return *rc::gen::inRange<std::size_t>(0, n + 1); };
  const auto number = [] { return *rc::gen::arbitrary<std::uint32_t>(); };
  const std::size_t threads = upto(4);
  for (std::size_t i = 0; i < upto(3); ++i)
    t.locations.push_back("file" + std::to_string(i) + ".cpp:" + std::to_string(number()));
  const auto location = [&]() -> LocationId {
    if (!t.locations.empty() && upto(1) == 1)
      return kNamedLocation + static_cast<LocationId>(upto(t.locations.size() - 1));
    return number() % kNamedLocation;
  };
  for (std::size_t i = 1; i <= threads; ++i) {
    ThreadRecord r;
    r.parent = upto(5) == 0 ? kNoThread : static_cast<ThreadIndex>(upto(i - 1));
    r.ordinal = number();
    r.created_in = number();
    r.created_at = location();
    r.steps = number();
    const std::size_t length = upto(19);
    for (std::size_t k = 0; k < length; ++k) r.name[k] = static_cast<char>(1 + upto(254));
    t.threads.push_back(r);
    t.thread_names.push_back("T" + std::to_string(i));
  }
  const std::size_t objects = upto(4);
  for (std::size_t i = 1; i <= objects; ++i) {
    ObjectRecord r;
    r.kind = static_cast<ObjectKind>(upto(5));
    r.owner = number();
    r.ordinal = number();
    r.site = location();
    r.site_context = number();
    r.size = number();
    r.base = *rc::gen::arbitrary<std::uint64_t>();
    t.objects.push_back(r);
    t.object_names.push_back("bank.account[" + std::to_string(i) + "]");
  }
  const std::size_t events = upto(30);
  for (std::size_t i = 0; i < events; ++i) {
    Event e;
    e.kind = static_cast<OpKind>(1 + upto(static_cast<std::size_t>(OpKind::kCount) - 2));
    e.bits = static_cast<std::uint8_t>(upto(5) | (upto(31) << 3));
    e.size = static_cast<std::uint16_t>(number());
    e.thread = static_cast<ThreadIndex>(upto(threads));
    e.object = static_cast<ObjectId>(upto(objects));
    e.offset = upto(1) == 0 ? 0 : number();
    e.location = location();
    e.context = number();
    e.value = upto(2) == 0 ? upto(8) : *rc::gen::arbitrary<std::uint64_t>();
    if (e.kind == OpKind::kThreadCreate || e.kind == OpKind::kThreadJoin || e.kind == OpKind::kThreadDetach)
      e.value = upto(threads);
    if (e.kind == OpKind::kCondSignal && upto(2) == 0) e.value = kNoThread;
    t.events.push_back(e);
  }
  return t;
}

RC_GTEST_PROP(TraceText, RoundTrip, ()) {
  const Trace t = any_trace();
  RC_ASSERT(valid(t));
  const std::string text = print_trace(t);
  const auto back = parse_trace(text);
  if (!back) RC_FAIL(back.error().text() + "\n" + text);
  RC_ASSERT(back->events.size() == t.events.size());
  RC_ASSERT(std::memcmp(back->events.data(), t.events.data(), sizeof(Event) * t.events.size()) == 0);
  RC_ASSERT(back->threads.size() == t.threads.size());
  RC_ASSERT(std::memcmp(back->threads.data(), t.threads.data(), sizeof(ThreadRecord) * t.threads.size()) == 0);
  RC_ASSERT(back->objects.size() == t.objects.size());
  RC_ASSERT(std::memcmp(back->objects.data(), t.objects.data(), sizeof(ObjectRecord) * t.objects.size()) == 0);
  RC_ASSERT(back->thread_names == t.thread_names);
  RC_ASSERT(back->object_names == t.object_names);
  RC_ASSERT(back->locations == t.locations);
  RC_ASSERT(print_trace(*back) == text);
}

// Rubbish made of the format's own words: an answer or an error, nothing else.
RC_GTEST_PROP(TraceText, RubbishIsRefusedCalmly, ()) {
  static const char* const kWords[] = {"main", "create", "A",      "lock", "m+4",     "m+",   "=",  "7",
                                       "0x",   "@",      "#5",     "in",   "thread",  "\n",   "//", "?",
                                       "name", "\"",     "object", "x",    "release", "wakes"};
  std::string text;
  for (const auto i :
       *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, std::size(kWords)))) {
    text += kWords[i];
    text += ' ';
  }
  const auto parsed = parse_trace(text);
  if (parsed) {
    RC_ASSERT(valid(*parsed));
  } else {
    RC_ASSERT(parsed.error().line >= 1u && parsed.error().column >= 1u);
  }
}

// A terminal would obey them.
TEST(TraceText, ControlCharactersInPlacesAreRefused) {
  EXPECT_TRUE(parse_trace("location bank.cpp:12\n"));
  EXPECT_FALSE(parse_trace("location bank\x1b[2J.cpp:12\n"));
  EXPECT_FALSE(parse_trace(std::string_view("location ba\0nk.cpp:12\n", 23)));
}

}  // namespace
}  // namespace ravel
