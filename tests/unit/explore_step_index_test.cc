// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The index of steps against a plain walk over all of them.
#include "explore/step_index.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ravel {
namespace {

struct Execution {
  std::vector<StepIndex::Entry> entries;

  Execution(std::mt19937& random, std::uint32_t count, std::uint32_t columns, std::uint32_t places) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool wide = random() % 16 == 0;
      entries.push_back({wide ? kSeveral : static_cast<Spot>(random() % places * 2654435761u >> 1),
                         static_cast<std::uint32_t>(random() % columns), random() % 2 == 0});
    }
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(entries.size()); }
};

// Whoever has the hash must be visited, others may be: two places can share a bucket.
void expect_same_walk(const StepIndex& index, const Execution& run, Spot spot, std::uint32_t bound, bool writers_only) {
  StepIndex::Walk walk = index.walk(spot, bound, writers_only);
  std::uint32_t last = bound;
  std::vector<std::uint32_t> visited;
  for (std::uint32_t i = walk.back(); i != StepIndex::Walk::kNone; i = walk.back()) {
    ASSERT_LT(i, last) << "the latest comes first, and nothing twice";
    last = i;
    const bool narrow = run.entries[i].spot != kSeveral;
    ASSERT_FALSE(writers_only && narrow && run.entries[i].only_reads);
    if (!narrow || run.entries[i].spot == spot) visited.push_back(i);
  }
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = bound; i-- > 0;) {
    const StepIndex::Entry& entry = run.entries[i];
    if (entry.spot == kSeveral || (entry.spot == spot && !(writers_only && entry.only_reads))) wanted.push_back(i);
  }
  ASSERT_EQ(visited, wanted);
}

TEST(StepIndex, WalksMeetWhatAPlainWalkMeets) {
  std::mt19937 random(7);
  StepIndex index(*std::pmr::new_delete_resource(), 1 << 13, 64);
  for (const std::uint32_t count : {0u, 1u, 2u, 40u, 300u, 5000u}) {
    for (const std::uint32_t places : {1u, 3u, 200u}) {
      const Execution run(random, count, 7, places);
      index.build(count, 7, [&](std::uint32_t i) { return run.entries[i]; });
      for (int question = 0; question < 40; ++question) {
        const std::uint32_t bound = static_cast<std::uint32_t>(random() % (count + 1));
        const Spot spot = static_cast<Spot>(random() % places * 2654435761u >> 1);
        expect_same_walk(index, run, spot, bound, false);
        expect_same_walk(index, run, spot, bound, true);
        std::uint32_t next = 0;
        index.forward(spot, [&](std::uint32_t i) {
          for (; next < i; ++next) ASSERT_TRUE(run.entries[next].spot != kSeveral && run.entries[next].spot != spot);
          ++next;
        });
        for (; next < run.count(); ++next)
          ASSERT_TRUE(run.entries[next].spot != kSeveral && run.entries[next].spot != spot);
      }
    }
  }
}

TEST(StepIndex, StepsOfAThreadAreInOrder) {
  std::mt19937 random(8);
  StepIndex index(*std::pmr::new_delete_resource(), 1 << 13, 64);
  const Execution run(random, 500, 5, 10);
  index.build(500, 5, [&](std::uint32_t i) { return run.entries[i]; });
  for (std::uint32_t column = 0; column < 5; ++column) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < 500; ++i) {
      if (run.entries[i].column == column) wanted.push_back(i);
    }
    const auto found = index.of_column(column);
    EXPECT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()), wanted);
  }
}

}  // namespace
}  // namespace ravel
