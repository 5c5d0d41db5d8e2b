// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the sections that are healed begin and end.
#include <gtest/gtest.h>

#include <set>

#include "investigate/heal_plan.h"

namespace ravel {
namespace {

Event event(std::uint32_t thread, OpKind kind, std::uint32_t place, std::uint32_t offset = 8) {
  Event e;
  e.thread = ThreadIndex(thread);
  e.kind = kind;
  e.object = ObjectId(1);
  e.offset = offset;
  e.location = LocationId(place);
  return e;
}

std::set<std::uint64_t> places(const std::uint64_t (&list)[kFreeSectionPlaces]) {
  std::set<std::uint64_t> out(std::begin(list), std::end(list));
  out.erase(0);
  return out;
}

// Thread 2 breaks in with a write, and what it writes comes from its read since its last synchronisation.
TEST(HealedSections, WhoBreaksInBeginsWithWhatItHasRead) {
  ExecutionRecord record;
  record.events = {event(2, OpKind::kRead, 1), event(2, OpKind::kMutexLock, 2, 64), event(1, OpKind::kRead, 3),
                   event(2, OpKind::kRead, 4), event(2, OpKind::kRead, 5, 16),      event(2, OpKind::kWrite, 6),
                   event(1, OpKind::kWrite, 7)};
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.roles = 3;
  found.role[0] = {record.events[2], 2};
  found.role[1] = {record.events[5], 5};
  found.role[2] = {record.events[6], 6};
  record.detections.push_back(found);
  const std::vector<FreeSection> sections = sections_of(record);
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(places(sections[0].enter), (std::set<std::uint64_t>{3, 4, 6}));
  EXPECT_EQ(places(sections[0].leave), (std::set<std::uint64_t>{6, 7}));
}

}  // namespace
}  // namespace ravel
