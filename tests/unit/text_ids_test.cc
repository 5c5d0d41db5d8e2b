// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ids of different kinds do not mix; each is as cheap as its number.
#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

#include "model/ids.h"

namespace ravel {
namespace {

template <typename A, typename B>
concept Comparable = requires(A a, B b) {
  a == b;
};
template <typename A, typename B>
concept Ordered = requires(A a, B b) {
  a < b;
};

template <typename A, typename B>
constexpr bool mix() {
  return std::is_convertible_v<A, B> || std::is_constructible_v<B, A> || std::is_assignable_v<B&, A> ||
         Comparable<A, B> || Ordered<A, B>;
}

static_assert(!mix<ThreadIndex, ObjectId>() && !mix<ObjectId, ThreadIndex>());
static_assert(!mix<LocationId, ContextId>() && !mix<ContextId, LocationId>());
static_assert(!mix<ObjectId, LocationId>() && !mix<ThreadIndex, ContextId>());
static_assert(mix<ThreadIndex, ThreadIndex>() && mix<ThreadIndex, std::uint32_t>() && mix<int, LocationId>());
static_assert(sizeof(LocationId) == 4 && std::is_trivially_copyable_v<LocationId>);
static_assert(ThreadIndex() == 0 && kNoThread.number() == 0xffffffffu);

TEST(Ids, AreKeysAndCounters) {
  std::unordered_set<ThreadIndex> seen;
  for (ThreadIndex thread = 0; thread < 4; ++thread) seen.insert(thread);
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_TRUE(seen.contains(3));
  EXPECT_FALSE(seen.contains(kNoThread));
}

}  // namespace
}  // namespace ravel
