// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Explaining by flipping: each pair that is said to decide has been reversed in a run that does not fail, and known
// programs have known pairs.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "support/search.h"

namespace ravel::testing {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

struct Explained {
  Pairs pairs;                       // event numbers in the given run
  std::vector<std::uint32_t> given;  // thread of each event there
};

std::uint32_t own_number(const std::vector<std::uint32_t>& threads, std::uint32_t event) {
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i <= event; ++i) own += threads[i] == threads[event];
  return own;
}

Explained explain(const toy::Program& program, const FakeExecutor::Judge& judge, const std::vector<Segment>& given) {
  Search search("explain", program, judge);
  SharedBlock& block = *search.block;
  block.campaign.base.prefix_segments = static_cast<std::uint32_t>(given.size());
  std::copy(given.begin(), given.end(), block.prefix);
  Explained out;
  std::vector<std::uint32_t> last;
  search.executor.at_end = [&](std::uint64_t run, SharedBlock& b) {
    last.clear();
    for (std::uint64_t i = 0; i < b.result.events.load(); ++i) last.push_back(b.ring[i].thread);
    if (run == 0) out.given = last;
  };
  search.run();
  const std::uint32_t count = block.progress.findings.load();
  for (std::uint32_t i = 0; i < count; ++i) {
    const FindingSeed& seed = block.findings[i];
    const auto a = seed.pair.first;
    const auto b = seed.pair.second;
    out.pairs.insert({a, b});
    if (b >= out.given.size()) continue;
    // Its schedule really has them the other way round, and does not fail.
    Search again("minimise", program, judge);
    const auto* segments = reinterpret_cast<const Segment*>(block.arena + seed.segments_offset);
    again.block->campaign.base.prefix_segments = seed.segments;
    std::copy(segments, segments + seed.segments, again.block->prefix);
    std::vector<std::uint32_t> threads;
    again.executor.at_end = [&](std::uint64_t, SharedBlock& block_of_it) {
      for (std::uint64_t k = 0; k < block_of_it.result.events.load(); ++k) {
        threads.push_back(block_of_it.ring[k].thread);
      }
    };
    again.run();
    EXPECT_EQ(again.block->progress.findings.load(), 0u);
    std::uint32_t at_a = 0xffffffffu;
    std::uint32_t at_b = 0xffffffffu;
    for (std::uint32_t k = 0; k < threads.size(); ++k) {
      if (threads[k] == out.given[a] && own_number(threads, k) == own_number(out.given, a)) at_a = k;
      if (threads[k] == out.given[b] && own_number(threads, k) == own_number(out.given, b)) at_b = k;
    }
    EXPECT_LT(at_b, at_a) << "pair " << a << ", " << b;
  }
  return out;
}

TEST(Explain, OrderOfTwo) {
  // T1 reads before T0 has written.
  const Explained found = explain(wrong_order(), came_first, {{1, 1}});
  EXPECT_EQ(found.pairs, (Pairs{{0, 1}}));
}

TEST(Explain, LostUpdate) {
  // load T0, load T1, store T1, store T0: each load before the other's store. The stores among themselves decide
  // nothing.
  const Explained found = explain(lost_update(), update_lost, {{0, 1}, {1, 1}, {1, 1}});
  ASSERT_EQ(found.given, (std::vector<std::uint32_t>{0, 1, 1, 0}));
  EXPECT_EQ(found.pairs, (Pairs{{0, 2}, {1, 3}}));
}

TEST(Explain, AScheduleThatDoesNotFailHasNoPairs) {
  EXPECT_TRUE(explain(lost_update(), update_lost, {{0, 2}}).pairs.empty());
}

TEST(Explain, PingPong) {
  const Explained found = explain(ping_pong(), ping_ponged, {{0, 1}, {1, 2}, {0, 2}});
  EXPECT_FALSE(found.pairs.empty());
}

}  // namespace
}  // namespace ravel::testing
