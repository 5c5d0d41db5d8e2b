// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Timestamps as the literature prints them (Carver, Tai: Modern Multithreading, figures 7.27 and 7.28).
#include <gtest/gtest.h>

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

TEST(SpaceTime, HasALaneForEachAndEscapes) {
  SynEvent one;
  one.thread = "main.1";
  one.object = "a<b>";
  one.kind = OpKind::kMutexLock;
  const std::string svg = space_time_svg({one, one}, {"1 0"});
  EXPECT_NE(svg.find("main.1</text>"), std::string::npos);
  EXPECT_NE(svg.find("a&lt;b&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("a<b>"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace ravel
