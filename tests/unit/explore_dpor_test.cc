// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Optimal reduction: as many executions as there are traces, by closed forms.
#include <gtest/gtest.h>

#include "support/search.h"

namespace ravel::testing {
namespace {

using toy::add;
using toy::cas;
using toy::load;
using toy::lock;
using toy::on;
using toy::Step;
using toy::store;
using toy::trylock;
using toy::unlock;

using Threads = std::vector<std::vector<Step>>;

std::uint64_t runs(const Threads& threads) {
  Search search("dpor", {threads, {}, {}});
  search.run();
  EXPECT_TRUE(search.complete()) << search.block->progress.strategy_note;
  EXPECT_EQ(search.block->progress.blocked.load(), 0u);
  return search.executions();
}

std::uint64_t factorial(unsigned n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

TEST(Dpor, ClosedForms) {
  for (unsigned n = 1; n <= 5; ++n) {
    Threads readers(n, {load(0)});
    readers.push_back({store(0, 1)});
    EXPECT_EQ(runs(readers), 1u << n);
    EXPECT_EQ(runs(Threads(n, {store(0, 1)})), factorial(n));
    EXPECT_EQ(runs(Threads(n, {add(0, 1)})), factorial(n));
    EXPECT_EQ(runs(Threads(n, {lock(0), unlock(0)})), factorial(n));
  }
  EXPECT_EQ(runs(Threads(3, {load(0, 0), store(0, 1, 1)})), 36u);
  EXPECT_EQ(runs(Threads(3, {lock(0), unlock(0), lock(0), unlock(0)})), 90u);
  EXPECT_EQ(runs({{lock(0), unlock(0)}, {trylock(0, 1), unlock(0)}}), 3u);
}

TEST(Dpor, CasRotation) {
  const std::uint64_t expected[] = {2, 5, 14, 43, 144};
  for (unsigned n = 2; n <= 6; ++n) {
    Threads threads;
    for (unsigned i = 1; i <= n; ++i) threads.push_back({cas(0, i - 1, i)});
    EXPECT_EQ(runs(threads), expected[n - 2]) << n;
  }
}

}  // namespace
}  // namespace ravel::testing
