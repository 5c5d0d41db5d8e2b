// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Timestamps as the literature prints them (Carver, Tai: Modern Multithreading, figures 7.27 and 7.28).
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "report/formats/space_time.h"
#include "report/stamps.h"

namespace ravel {
namespace {

Event event(ThreadIndex thread, OpKind kind, std::uint32_t offset, std::uint64_t value = 0) {
  Event e;
  e.kind = kind;
  e.thread = thread;
  e.object = ObjectId(1);
  e.offset = offset;
  e.value = value;
  return e;
}
ExecutionRecord record_of(std::vector<Event> events, std::size_t threads) {
  ExecutionRecord record;
  record.threads.resize(threads);
  record.events = std::move(events);
  return record;
}
std::string texts(const ExecutionRecord& record, StampScheme scheme) {
  std::string out;
  for (const Stamp& stamp : stamps_of(record, scheme)) out += stamp_text(stamp) + ", ";
  return out;
}

TEST(Stamps, BinarySemaphore) {
  const ExecutionRecord record = record_of({event(1, OpKind::kSemWait, 0), event(1, OpKind::kSemPost, 0),
                                            event(0, OpKind::kSemWait, 0), event(0, OpKind::kSemPost, 0)},
                                           2);
  EXPECT_EQ(texts(record, StampScheme::kThread), "0 1, 0 2, 1 2, 2 2, ");
  EXPECT_EQ(texts(record, StampScheme::kObject), "1, 2, 3, 4, ");
}

// What a wait has in its past is in that of the next to lock; a signal is in the past of whom it wakes.
TEST(Stamps, ConditionVariable) {
  const std::uint64_t mutex = std::uint64_t{1} << 32;
  const ExecutionRecord record =
      record_of({event(0, OpKind::kSemWait, 99), event(0, OpKind::kMutexLock, 0),
                 event(0, OpKind::kCondWait, 50, mutex), event(1, OpKind::kMutexLock, 0),
                 event(1, OpKind::kCondSignal, 50, 0), event(0, OpKind::kCondReacquire, 50, mutex)},
                2);
  EXPECT_EQ(texts(record, StampScheme::kThread), "1 0, 2 0, 3 0, 3 1, 3 2, 4 2, ");
}

TEST(Stamps, MessagesOrder) {
  const ExecutionRecord record =
      record_of({event(0, OpKind::kSemPost, 8), event(0, OpKind::kPut, 0, 1), event(1, OpKind::kTake, 0, 1),
                 event(1, OpKind::kSemPost, 16), event(2, OpKind::kSemPost, 24)},
                3);
  EXPECT_EQ(texts(record, StampScheme::kThread), "1 0 0, 2 0 0, 2 1 0, 0 0 1, ");
}

// Both schemes say what happens before what, as the order of threads and objects does.
TEST(Stamps, SchemesAgreeOnRandomTraces) {
  std::mt19937 random(3);
  for (int round = 0; round < 1'000; ++round) {
    const std::uint32_t threads = 2 + random() % 3;
    const std::uint32_t objects = 1 + random() % 4;
    std::vector<Event> events(6 + random() % 12);
    for (Event& one : events) {
      one =
          event(ThreadIndex(random() % threads), OpKind::kSemPost, 8 * static_cast<std::uint32_t>(random() % objects));
    }
    std::vector<std::uint32_t> before(events.size());  // of each event: a bit for each that happens before it
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (events[k].thread != events[i].thread && events[k].offset != events[i].offset) continue;
        before[i] |= before[k] | 1u << k;
      }
    }
    const ExecutionRecord record = record_of(events, threads);
    for (const StampScheme scheme : {StampScheme::kThread, StampScheme::kObject}) {
      const std::vector<Stamp> stamps = stamps_of(record, scheme);
      ASSERT_EQ(stamps.size(), events.size());
      for (std::size_t i = 0; i < events.size(); ++i) {
        for (std::size_t k = 0; k < events.size(); ++k) {
          bool smaller = stamps[k] != stamps[i];
          for (std::size_t c = 0; c < stamps[i].size(); ++c) smaller = smaller && stamps[k][c] <= stamps[i][c];
          ASSERT_EQ(smaller, (before[i] >> k & 1) != 0) << "trace " << round << ", events " << k << " and " << i;
        }
      }
    }
  }
}

TEST(SpaceTime, HasALaneForEachAndEscapes) {
  SynEvent one;
  one.thread = "main.1";
  one.object = "a<b>";
  one.kind = OpKind::kMutexLock;
  SynEvent two = one;
  two.thread = "main.2";
  const std::string svg = space_time_svg({one, one}, {two}, {"1 0"});
  EXPECT_NE(svg.find(" never comes"), std::string::npos) << svg;
  EXPECT_NE(svg.find("main.1</text>"), std::string::npos);
  EXPECT_NE(svg.find("a&lt;b&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("a<b>"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace ravel
