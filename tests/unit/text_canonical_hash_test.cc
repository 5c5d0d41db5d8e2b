// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/canonical_hash.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

// Names that can be moved to other numbers, as a rebuild does.
class FakeNames final : public Namer {
 public:
  explicit FakeNames(std::uint32_t shift) : shift_(shift) {}
  std::string thread_name(ThreadIndex thread) override { return "main." + std::to_string(thread); }
  std::string object_name(ObjectId object, std::uint32_t offset) override {
    return "o" + std::to_string(object - shift_) + "+" + std::to_string(offset);
  }
  std::string place_name(LocationId location) override { return "f+" + std::to_string(location - shift_); }

 private:
  std::uint32_t shift_;
};

std::vector<Event> sample(std::uint32_t shift) {
  std::vector<Event> events(2);
  events[0].kind = OpKind::kMutexLock;
  events[0].thread = 1;
  events[0].object = 3 + shift;
  events[0].location = 7 + shift;
  events[1].kind = OpKind::kAtomicLoad;
  events[1].thread = 2;
  events[1].object = 4 + shift;
  events[1].offset = 8;
  events[1].location = 9 + shift;
  events[1].bits = 2;
  return events;
}

std::uint64_t hash_of(const std::vector<Event>& events, std::uint32_t shift = 0) {
  FakeNames names(shift);
  CanonicalHash hash(names);
  hash.add(events);
  return hash.value();
}

TEST(CanonicalHash, DependsOnNamesNotOnNumbers) {
  EXPECT_EQ(hash_of(sample(0)), hash_of(sample(100), 100));
}

TEST(CanonicalHash, ValuesAndTheWayToTheEventDoNotCount) {
  auto events = sample(0);
  events[0].value = 99;
  events[0].bits |= kChosen | kHadToWait;
  events[0].context = 5;
  EXPECT_EQ(hash_of(events), hash_of(sample(0)));
}

TEST(CanonicalHash, EverythingElseCounts) {
  const std::uint64_t base = hash_of(sample(0));
  auto changed = [&](auto change) {
    auto events = sample(0);
    change(events);
    return hash_of(events);
  };
  EXPECT_NE(base, changed([](auto& e) { e[0].thread = 3; }));
  EXPECT_NE(base, changed([](auto& e) { e[0].kind = OpKind::kMutexTryLock; }));
  EXPECT_NE(base, changed([](auto& e) { e[0].bits |= kFailed; }));
  EXPECT_NE(base, changed([](auto& e) { e[1].bits = 5; }));
  EXPECT_NE(base, changed([](auto& e) { e[1].offset = 4; }));
  EXPECT_NE(base, changed([](auto& e) { e[1].object = 5; }));
  EXPECT_NE(base, changed([](auto& e) { e[1].location = 8; }));
  EXPECT_NE(base, changed([](auto& e) { std::swap(e[0], e[1]); }));
  EXPECT_NE(base, changed([](auto& e) { e.pop_back(); }));
}

}  // namespace
}  // namespace ravel
