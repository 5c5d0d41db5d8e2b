// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The list of outcomes: each combination once, whatever the order of its values, with as many executions as had it.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

void say(SharedBlock& block, const char* name, const std::string& value) {
  ObservationRecord& record = block.result.observation_table[block.result.observations++];
  record = ObservationRecord{};
  std::strncpy(record.name, name, sizeof record.name - 1);
  std::strncpy(record.value, value.c_str(), sizeof record.value - 1);
}

struct Listing {
  explicit Listing(const toy::Program& program) : executor(*block, program) {
    std::strcpy(block->campaign.strategy, "dfs");
    block->campaign.keep_going = 1;
    block->campaign.outcomes = 1;
    executor.at_end = [this](std::uint64_t run, SharedBlock& shared) {
      shared.result.observations = 0;
      const std::string value = std::to_string(toy::read_memory(executor.last_state, 0));
      // The same values in another order are the same outcome.
      if (run % 2 == 0) say(shared, "value", value);
      say(shared, "other", "1");
      if (run % 2 != 0) say(shared, "value", value);
    };
  }
  std::map<std::string, std::uint64_t> counts() {
    std::map<std::string, std::uint64_t> out;
    for (std::uint32_t i = 0; i < block->progress.outcomes.load(); ++i) {
      const OutcomeRecord& record = block->outcomes[i];
      std::string text(outcome_name(record.kind));
      const auto* list = reinterpret_cast<const ObservationRecord*>(block->arena + record.observations_offset);
      for (std::uint32_t k = 0; k < record.observations; ++k)
        text += std::string(" ") + list[k].name + "=" + list[k].value;
      out[text] = record.seen & 0xffffffffu;
    }
    return out;
  }

  Block block;
  FakeExecutor executor;
};

TEST(Outcomes, AreCountedByTheirValues) {
  Listing listing(lost_update());
  run_campaign(*listing.block, listing.executor);
  // Six schedules; in two of them one thread runs as a whole first.
  const std::map<std::string, std::uint64_t> wanted = {{"completed other=1 value=1", 4},
                                                       {"completed other=1 value=2", 2}};
  EXPECT_EQ(listing.counts(), wanted);
}

TEST(Outcomes, StartAnewWithTheSearch) {
  Listing listing(plain_lost_update());
  listing.block->campaign.base.points = PointsMode::kRacy;
  run_campaign(*listing.block, listing.executor);
  const std::map<std::string, std::uint64_t> wanted = {{"completed other=1 value=1", 4},
                                                       {"completed other=1 value=2", 2}};
  EXPECT_EQ(listing.counts(), wanted);
}

TEST(Outcomes, HowItEndedIsPartOfThem) {
  Listing listing(crossed_locks());
  run_campaign(*listing.block, listing.executor);
  std::uint64_t all = 0;
  bool deadlock = false;
  for (const auto& [text, count] : listing.counts()) {
    all += count;
    deadlock = deadlock || text.substr(0, 8) == "deadlock";
  }
  EXPECT_EQ(all, listing.block->progress.executions.load());
  EXPECT_TRUE(deadlock);
}

}  // namespace
}  // namespace ravel::testing
