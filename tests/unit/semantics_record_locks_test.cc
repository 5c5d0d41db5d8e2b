// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of ranges against the plainest description there is: for each byte, what each owner has of it.
#include "semantics/record_locks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>

namespace ravel {
namespace {

constexpr int kBytes = 12;  // the last stands for all behind it
constexpr unsigned kOwners = 4;
constexpr unsigned kFiles = 2;

using Key = std::pair<std::uint32_t, std::uint32_t>;

struct ByteByByte {
  std::map<Key, std::array<LockShare, kBytes>> had;

  static int index(std::int64_t byte) { return static_cast<int>(std::min<std::int64_t>(byte, kBytes - 1)); }

  bool set(const LockOwner& who, const ByteRange& range, LockShare share) {
    auto& mine = had[{who.file, who.owner}];
    bool gives_up = false;
    for (int i = index(range.first); i <= index(range.last); ++i) {
      gives_up = gives_up || mine[i] > share;
      mine[i] = share;
    }
    return gives_up;
  }

  [[nodiscard]] bool is_in_the_way(const LockOwner& who, const ByteRange& range, LockShare wanted) const {
    for (const auto& [key, shares] : had) {
      if (key.first != who.file || key.second == who.owner) continue;
      for (int i = index(range.first); i <= index(range.last); ++i) {
        if (shares[i] == LockShare::kAlone || (shares[i] == LockShare::kShared && wanted == LockShare::kAlone))
          return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool has(const LockOwner& who) const {
    const auto mine = had.find({who.file, who.owner});
    if (mine == had.end()) return false;
    return std::any_of(mine->second.begin(), mine->second.end(), [](LockShare s) { return s != LockShare::kNone; });
  }
};

ByteRange random_range(std::mt19937& random) {
  const std::int64_t first = random() % kBytes;
  if (random() % 4 == 0 || first == kBytes - 1) return {first, ByteRange{}.last};
  return {first, first + static_cast<std::int64_t>(random() % (kBytes - 1 - first))};
}

TEST(RecordLocks, AreWhatEachOwnerHasOfEachByte) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    RecordLocks<256> locks;
    ByteByByte bytes;
    for (int step = 0; step < 60; ++step) {
      const LockOwner who{static_cast<std::uint32_t>(random() % kFiles),
                          static_cast<std::uint32_t>(random() % kOwners)};
      const ByteRange range = random_range(random);
      const auto share = static_cast<LockShare>(random() % 3);
      if (share != LockShare::kNone) {
        ASSERT_EQ(locks.is_in_the_way(who, range, share), bytes.is_in_the_way(who, range, share));
        if (bytes.is_in_the_way(who, range, share)) continue;
      }
      ASSERT_EQ(locks.set(who, range, share), bytes.set(who, range, share)) << round << ' ' << step;
      for (std::uint32_t owner = 0; owner < kOwners; ++owner) {
        ASSERT_EQ(locks.has({who.file, owner}), bytes.has({who.file, owner}));
      }
    }
    EXPECT_TRUE(locks.knows_all());
  }
}

TEST(RecordLocks, NeighboursAreOne) {
  RecordLocks<2> locks;
  const LockOwner who{0, 1};
  for (std::int64_t byte = 0; byte < 100; ++byte) locks.set(who, {byte, byte}, LockShare::kAlone);
  EXPECT_TRUE(locks.knows_all());
  EXPECT_TRUE(locks.is_in_the_way({0, 2}, {99, 99}, LockShare::kShared));
  EXPECT_FALSE(locks.is_in_the_way({0, 2}, {100, 100}, LockShare::kShared));
}

TEST(RecordLocks, SaySoWhenThereIsNoRoom) {
  RecordLocks<2> locks;
  locks.set({0, 1}, {0, 9}, LockShare::kAlone);
  EXPECT_TRUE(locks.set({0, 1}, {2, 3}, LockShare::kNone));
  EXPECT_TRUE(locks.knows_all());
  locks.set({0, 1}, {5, 6}, LockShare::kNone);
  EXPECT_FALSE(locks.knows_all());
}

}  // namespace
}  // namespace ravel
