// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Traces that are known: every bit of every event counts, and campaigns that look at each trace once find and count
// what campaigns that look at all of them do.
#include <gtest/gtest.h>

#include <cstring>
#include <memory_resource>
#include <set>
#include <vector>

#include "base/random.h"
#include "detect/detector_table.h"
#include "engine/campaign.h"
#include "engine/seen_traces.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

std::uint64_t key_of(const std::vector<Event>& events) {
  SeenTraces::Key key;
  for (const Event& e : events) key.add(Fingerprint::word_of(e), e);
  return key.value();
}

TEST(SeenTraces, EveryBitOfEveryEventCounts) {
  std::vector<Event> trace(5);
  Random random(7);
  for (Event& e : trace) {
    e.location = static_cast<LocationId>(random.next());
    e.value = random.next();
  }
  std::set<std::uint64_t> keys = {key_of(trace)};
  for (std::size_t bit = 0; bit < trace.size() * sizeof(Event) * 8; ++bit) {
    const std::size_t in_event = bit % (sizeof(Event) * 8);
    if (in_event / 2 == 31 || in_event / 2 == 47) continue;  // numbers of threads and objects end below 2^30
    std::vector<Event> other = trace;
    unsigned char bytes[sizeof(Event)];
    Event& e = other[bit / (sizeof(Event) * 8)];
    std::memcpy(bytes, &e, sizeof bytes);
    bytes[bit / 8 % sizeof(Event)] ^= static_cast<unsigned char>(1u << bit % 8);
    std::memcpy(static_cast<void*>(&e), bytes, sizeof bytes);
    EXPECT_TRUE(keys.insert(key_of(other)).second) << "bit " << bit;
  }
  std::vector<Event> turned = trace;
  std::swap(turned[1], turned[2]);
  EXPECT_TRUE(keys.insert(key_of(turned)).second);
  trace.pop_back();
  EXPECT_TRUE(keys.insert(key_of(trace)).second);
}

TEST(SeenTraces, KeepsWhatItWasGivenWhileItGrows) {
  std::pmr::monotonic_buffer_resource memory;
  SeenTraces seen(memory);
  Random random(1);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 80'000; ++i) {  // more than there is room for
    const std::uint64_t key = random.next() | 1;
    EXPECT_FALSE(seen.contains(key));
    seen.add(key);
    if (i < 65'536) keys.push_back(key);
  }
  for (const std::uint64_t key : keys) EXPECT_TRUE(seen.contains(key));
}

struct Result {
  std::uint64_t executions, distinct, steps, seen_races;
  std::uint32_t findings;
  bool operator==(const Result&) const = default;
};

// Executions whose plan is by step are never taken for known ones: the reference.
Result explore(const toy::Program& program, const char* strategy, bool each) {
  Block block;
  FakeExecutor executor(*block, program);
  std::strcpy(block->campaign.strategy, strategy);
  block->campaign.keep_going = 1;
  block->campaign.iterations = 3000;
  block->campaign.seed = 5;
  block->campaign.detectors = all_detectors();
  block->campaign.base.record_steps = each ? 1 : 0;
  run_campaign(*block, executor);
  Result result = {block->progress.executions.load(), block->progress.distinct.load(), block->progress.steps.load(), 0,
                   block->progress.findings.load()};
  for (std::uint32_t i = 0; i < result.findings; ++i) result.seen_races += block->findings[i].times_seen;
  return result;
}

TEST(SeenTraces, CampaignsFindAndCountTheSame) {
  for (const toy::Program& program : {lost_update(), plain_lost_update(), crossed_locks()}) {
    for (const char* strategy : {"random", "portfolio", "pct"}) {
      EXPECT_EQ(explore(program, strategy, false), explore(program, strategy, true)) << strategy;
    }
  }
}

}  // namespace
}  // namespace ravel::testing
