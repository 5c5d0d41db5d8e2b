// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/trace_compare.h"

namespace ravel {
namespace {

class TraceCompareTest : public testing::Test {
 protected:
  using Mode = TraceCompare::Mode;

  static Event event(OpKind kind, ThreadIndex thread, LocationId location) {
    Event e;
    e.kind = kind;
    e.thread = thread;
    e.location = location;
    return e;
  }

  void run(Mode mode, const std::vector<Event>& events) {
    compare_.begin(mode);
    // In pieces, as the ring gives them.
    for (std::size_t at = 0; at < events.size(); at += 2) {
      const std::size_t n = std::min<std::size_t>(2, events.size() - at);
      compare_.consume({events.data() + at, n}, at);
    }
  }

  const DifferenceRecord& compared(const std::vector<Event>& first, const std::vector<Event>& second,
                                   OutcomeKind first_outcome = OutcomeKind::kCompleted,
                                   OutcomeKind second_outcome = OutcomeKind::kCompleted) {
    run(Mode::kKeep, first);
    run(Mode::kCompare, second);
    compare_.report(difference_, 5, first_outcome, second_outcome);
    return difference_;
  }

  static constexpr std::size_t kBytes = std::size_t{16} << 20;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_{std::aligned_alloc(4096, kBytes)};
  TraceCompare compare_{*Arena::create(memory_.get(), kBytes), true};
  DifferenceRecord difference_;
  const std::vector<Event> trace_ = {event(OpKind::kThreadStart, 0, 1), event(OpKind::kThreadCreate, 0, 2),
                                     event(OpKind::kThreadStart, 1, 2), event(OpKind::kThreadEnd, 1, 3)};
};

TEST_F(TraceCompareTest, EqualTracesHaveNoDifference) {
  EXPECT_EQ(compared(trace_, trace_).found.load(), 0u);
}

TEST_F(TraceCompareTest, BitsThatTellHowAnEventCameToRunDoNotCount) {
  std::vector<Event> other = trace_;
  other[2].bits = kChosen | kHadToWait;
  EXPECT_EQ(compared(trace_, other).found.load(), 0u);
}

TEST_F(TraceCompareTest, TheFirstDifferentEventIsNamed) {
  std::vector<Event> other = trace_;
  other[2].location = 7;
  other[3].location = 8;
  const DifferenceRecord& found = compared(trace_, other);
  EXPECT_EQ(found.found.load(), 1u);
  EXPECT_EQ(found.execution, 5u);
  EXPECT_EQ(found.sequence, 2u);
  EXPECT_EQ(found.first.location, 2u);
  EXPECT_EQ(found.second.location, 7u);
  // A later one does not replace it.
  other[0].thread = 3;
  compared(trace_, other);
  EXPECT_EQ(found.sequence, 2u);
}

TEST_F(TraceCompareTest, ATraceThatEndsEarlyIsSaid) {
  const std::vector<Event> shorter(trace_.begin(), trace_.begin() + 3);
  const DifferenceRecord& found = compared(trace_, shorter);
  EXPECT_EQ(found.found.load(), 1u);
  EXPECT_EQ(found.sequence, 3u);
  EXPECT_EQ(found.second_ended, 1);
  EXPECT_EQ(found.first_ended, 0);
  EXPECT_EQ(found.first.kind, OpKind::kThreadEnd);
}

TEST_F(TraceCompareTest, ATraceThatGoesOnIsSaid) {
  const std::vector<Event> shorter(trace_.begin(), trace_.begin() + 1);
  const DifferenceRecord& found = compared(shorter, trace_);
  EXPECT_EQ(found.found.load(), 1u);
  EXPECT_EQ(found.sequence, 1u);
  EXPECT_EQ(found.first_ended, 1);
  EXPECT_EQ(found.second.kind, OpKind::kThreadCreate);
}

TEST_F(TraceCompareTest, AnotherOutcomeAloneIsSaid) {
  const DifferenceRecord& found = compared(trace_, trace_, OutcomeKind::kCompleted, OutcomeKind::kAssertion);
  EXPECT_EQ(found.found.load(), 2u);
  EXPECT_EQ(found.second_outcome, OutcomeKind::kAssertion);
}

}  // namespace
}  // namespace ravel
