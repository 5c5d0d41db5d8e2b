// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sections of the engine's memory: found again by name, as they were left.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/sections.h"

namespace ravel {
namespace {

struct Tally {
  std::uint64_t count = 0;
  std::uint32_t list[4] = {1, 2, 3, 4};
};

class SectionsTest : public ::testing::Test {
 protected:
  SectionsTest() : bytes_(1u << 20), memory_(Arena::create(aligned(), (1u << 20) - 64)) {}

  void* aligned() { return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(bytes_.data()) + 63) & ~63ull); }

  std::vector<unsigned char> bytes_;
  Arena* memory_;
  Sections sections_;
};

TEST_F(SectionsTest, AreMadeOnceAndKeepWhatIsInThem) {
  Tally& first = sections_.open<Tally>(*memory_, "tally");
  EXPECT_EQ(first.list[3], 4u);
  first.count = 42;
  const std::size_t used = memory_->used();
  Tally& again = sections_.open<Tally>(*memory_, "tally");
  EXPECT_EQ(&again, &first);
  EXPECT_EQ(again.count, 42u);
  EXPECT_EQ(memory_->used(), used);
  EXPECT_EQ(sections_.count(), 1u);
}

TEST_F(SectionsTest, HaveDifferentNames) {
  Tally& one = sections_.open<Tally>(*memory_, "one");
  Tally& other = sections_.open<Tally>(*memory_, "another");
  EXPECT_NE(&one, &other);
  void* bytes = sections_.open_bytes(*memory_, "bytes", 4096);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % Arena::kLine, 0u);
  EXPECT_EQ(sections_.open_bytes(*memory_, "bytes", 4096), bytes);
  EXPECT_EQ(sections_.find("none", 1), nullptr);
}

using SectionsDeathTest = SectionsTest;
TEST_F(SectionsDeathTest, HaveOneSize) {
  (void)sections_.open_bytes(*memory_, "bytes", 4096);
  EXPECT_DEATH((void)sections_.open_bytes(*memory_, "bytes", 4095), "opened as what it was made");
}

TEST_F(SectionsDeathTest, AreLimited) {
  for (std::uint32_t i = 0; i < Sections::kMost; ++i) (void)sections_.open<Tally>(*memory_, "s" + std::to_string(i));
  EXPECT_DEATH((void)sections_.open<Tally>(*memory_, "one more"), "room for every section");
}

}  // namespace
}  // namespace ravel
