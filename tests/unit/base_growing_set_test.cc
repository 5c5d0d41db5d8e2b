// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "base/growing_set.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/random.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMost = 1u << 14;

struct Memory {
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(GrowingSet::bytes_for(kMost) / sizeof(std::uint64_t));
};

TEST(GrowingSet, AgreesWithASetUpToItsMostEntries) {
  Memory memory;
  GrowingSet set(memory.words.data());
  std::set<std::uint64_t> model;
  std::uint32_t capacity = GrowingSet::kFirstCapacity;
  SplitMix64 random(7);
  while (model.size() < kMost) {
    // Few different low bits: keys that want the same slot.
    const std::uint64_t key = (random.next() & ~std::uint64_t{0xff0}) | 1;
    ASSERT_EQ(set.contains(key, capacity), model.count(key) == 1);
    if (!model.insert(key).second) continue;
    capacity = set.grow(static_cast<std::uint32_t>(model.size()), capacity);
    set.enter(key, capacity);
    ASSERT_LE(model.size(), capacity / 2);
  }
  for (const std::uint64_t key : model) ASSERT_TRUE(set.contains(key, capacity));
  EXPECT_LE(sizeof(std::uint64_t) * 2 * capacity, GrowingSet::bytes_for(kMost));
}

// A process killed after growing, before its capacity was written down, grows again.
TEST(GrowingSet, GrowingTwiceIsGrowingOnce) {
  Memory memory;
  GrowingSet set(memory.words.data());
  std::uint32_t capacity = GrowingSet::kFirstCapacity;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 1; keys.size() < 300; key += 255) {
    keys.push_back(key);
    (void)set.grow(static_cast<std::uint32_t>(keys.size()), capacity);
    capacity = set.grow(static_cast<std::uint32_t>(keys.size()), capacity);
    set.enter(key, capacity);
  }
  for (const std::uint64_t key : keys) EXPECT_TRUE(set.contains(key, capacity));
  EXPECT_FALSE(set.contains(2, capacity));
}

TEST(GrowingSet, FewKeysStayOnOnePage) {
  Memory memory;
  GrowingSet set(memory.words.data());
  std::uint32_t capacity = GrowingSet::kFirstCapacity;
  for (std::uint32_t n = 1; n <= capacity / 2; ++n) set.enter(std::uint64_t{n} * 0x9e3779b97f4a7c15ull, capacity);
  for (std::size_t i = 4096 / sizeof(std::uint64_t); i < memory.words.size(); ++i) ASSERT_EQ(memory.words[i], 0u);
}

}  // namespace
}  // namespace ravel
